import { staticAssets } from '../src/http/public-documents.ts'
import baseCss from '../src/site/assets/base.css' with { type: 'text' }
import chartJs from '../src/site/assets/chart.client.js' with { type: 'text' }
import mark from '../src/site/assets/mark.svg' with { type: 'text' }
import { fontCss } from '../src/site/fonts/fonts.tsx'
import adminJs from './assets/admin.client.js' with { type: 'text' }
import adminCss from './assets/admin.css' with { type: 'text' }
import brandJs from './assets/brand.client.js' with { type: 'text' }
import themeEditorJs from './assets/theme-editor.generated.client.js' with { type: 'text' }

const [css, javascript] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8']

/** Files that the operator's pages load. Their paths need no session, because the login page loads them too. */
export const adminAssets = staticAssets('admin', [
  { name: 'admin.css', body: [fontCss, baseCss, adminCss].join('\n'), contentType: css },
  { name: 'admin.js', body: [adminJs, brandJs, chartJs].join('\n'), contentType: javascript },
  { name: 'theme-editor.js', body: themeEditorJs, contentType: javascript },
  { name: 'admin-mark.svg', body: mark, contentType: 'image/svg+xml' },
])
