import {
  type AnyPage,
  arabicWelcome,
  berthSignals,
  home,
  newCrane,
  oldPath,
  quietWinter,
  rota,
  site,
  tideTable,
} from '../content.ts'
import type { Generator } from '../generator.ts'

/** A page of the app router with the metadata that its documentation shows. */
function page(path: string, { title, description, body, author, date }: AnyPage, more: object = {}): string {
  const metadata = {
    title,
    description,
    alternates: { canonical: path },
    ...(author !== undefined && { authors: [{ name: author }] }),
    ...(date !== undefined && {
      openGraph: { type: 'article', title, description, publishedTime: date, authors: [author] },
    }),
    ...more,
  }
  return `export const metadata = ${JSON.stringify(metadata, undefined, 2)}

export default function Page() {
  return (
    <main>
      <h1>{${JSON.stringify(title)}}</h1>
      <p>{${JSON.stringify(body)}}</p>
    </main>
  )
}
`
}

export const next: Generator = {
  packages: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
  files: {
    'next.config.mjs': `export default { output: 'export', turbopack: { root: import.meta.dirname } }\n`,
    'app/(en)/layout.jsx': layout('en', 'ltr'),
    'app/(ar)/layout.jsx': layout('ar', 'rtl'),
    'app/(en)/page.jsx': page('/', home, { title: { absolute: home.title } }),
    'app/(en)/docs/guides/tide-table/page.jsx': page('/docs/guides/tide-table', tideTable),
    'app/(en)/docs/reference/berth-signals/page.jsx': page('/docs/reference/berth-signals', berthSignals),
    'app/(en)/blog/quiet-winter/page.jsx': page('/blog/quiet-winter', quietWinter),
    'app/(en)/blog/new-crane/page.jsx': page('/blog/new-crane', newCrane),
    'app/(ar)/ar/page.jsx': page('/ar', arabicWelcome),
    'app/(en)/crew/rota/page.jsx': page('/crew/rota', rota, { robots: { index: false } }),
    [`app/(en)/${oldPath}/page.jsx`]: `import { redirect } from 'next/navigation'

export default function Page() {
  redirect('/docs/guides/tide-table')
}
`,
  },
  build: ['next', 'build'],
  output: 'out',
}

function layout(lang: string, dir: string): string {
  return `export const metadata = {
  metadataBase: new URL('${site.url}'),
  title: { default: '${site.name}', template: '%s | ${site.name}' },
  description: '${site.description}',
}

export const viewport = { themeColor: '#0b3d5c' }

export default function Layout({ children }) {
  return (
    <html lang="${lang}" dir="${dir}">
      <body>{children}</body>
    </html>
  )
}
`
}
