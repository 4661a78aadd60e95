import { staticAssets } from '../http/public-documents.ts'
import baseCss from './assets/base.css' with { type: 'text' }
import cardJs from './assets/card.client.js' with { type: 'text' }
import chartJs from './assets/chart.client.js' with { type: 'text' }
import contentsJs from './assets/contents.client.js' with { type: 'text' }
import searchJs from './assets/search.client.js' with { type: 'text' }
import siteJs from './assets/site.client.js' with { type: 'text' }
import siteCss from './assets/site.css' with { type: 'text' }
import { fontCss } from './fonts/fonts.tsx'

const scripts = { site: siteJs, card: cardJs, chart: chartJs, contents: contentsJs, search: searchJs }
/** In the order of the cascade. */
const styles = [fontCss, baseCss, siteCss]

export const siteAssets = staticAssets('site', [
  { name: 'site.css', body: styles.map(withoutComments).join('\n'), contentType: 'text/css; charset=utf-8' },
  ...Object.entries(scripts).map(([name, script]) => ({
    name: `${name}.js`,
    body: script.replaceAll(/^ *(?:\/\/.*\n)?/gm, ''),
    contentType: 'text/javascript; charset=utf-8',
  })),
])

/** A style sheet without comments and indentation, which are a fifth of what a browser would load. */
function withoutComments(css: string): string {
  return css.replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '').replaceAll(/\n\s+/g, '\n')
}
