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

function page(words: AnyPage, head: object = {}): string {
  const { title, body, author, date } = words
  const byline =
    author === undefined ? '' : `<p>{${JSON.stringify(author)}} <time dateTime="${date}">${date}</time></p>`
  return `import * as React from 'react'
import Seo from 'SEO_PATH'

export default function Page() {
  return (
    <main>
      <article itemScope itemType="http://schema.org/Article">
        <h1 itemProp="headline">{${JSON.stringify(title)}}</h1>
        ${byline}
        <section itemProp="articleBody"><p>{${JSON.stringify(body)}}</p></section>
      </article>
    </main>
  )
}

export function Head({ location }) {
  return <Seo {...${JSON.stringify({ ...words, body: undefined, ...head })}} path={location.pathname} />
}
`
}

const seo = `import * as React from 'react'

export default function Seo({ title, description, author, date, lang, dir, robots, path }) {
  const name = '${site.name}'
  const full = title === name ? title : \`\${title} | \${name}\`
  return (
    <>
      <html lang={lang ?? 'en'} dir={dir} />
      <title>{full}</title>
      <meta name="description" content={description} />
      {robots && <meta name="robots" content={robots} />}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={'${site.url}' + path} />
      <meta name="twitter:card" content="summary" />
      <meta name="twitter:title" content={title} />
      {author && <meta name="author" content={author} />}
      {date && <meta property="article:published_time" content={date + 'T08:00:00+02:00'} />}
    </>
  )
}
`

export const gatsby: Generator = {
  packages: { gatsby: '5.16.1', react: '18.3.1', 'react-dom': '18.3.1' },
  // The older version that it asks for downloads a library from elsewhere.
  overrides: { sharp: '0.33.5' },
  files: {
    'gatsby-config.mjs': `export default { siteMetadata: { title: '${site.name}', siteUrl: '${site.url}' } }\n`,
    'src/components/seo.js': seo,
    ...Object.fromEntries(
      Object.entries({
        'src/pages/index.js': page(home),
        'src/pages/docs/guides/tide-table.js': page(tideTable),
        'src/pages/docs/reference/berth-signals.js': page(berthSignals),
        'src/pages/blog/quiet-winter.js': page(quietWinter),
        'src/pages/blog/new-crane.js': page(newCrane),
        'src/pages/ar.js': page(arabicWelcome, { lang: 'ar', dir: 'rtl' }),
        'src/pages/crew/rota.js': page(rota, { robots: 'noindex' }),
        'src/pages/404.js': page({
          title: 'Not found',
          description: 'There is no such page.',
          body: 'Nothing is here.',
        }),
      }).map(([path, text]) => [
        path,
        text.replace('SEO_PATH', `${'../'.repeat(path.split('/').length - 2)}components/seo.js`),
      ]),
    ),
    [`static/${oldPath}/index.html`]: `<!doctype html><title>Moved</title><meta http-equiv=refresh content="0;url=/docs/guides/tide-table/">`,
  },
  build: ['gatsby', 'build'],
  output: 'public',
}
