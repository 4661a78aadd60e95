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
import { markdown } from '../markdown.ts'

const layout = `---
const { title, description, author, date, lang = 'en', dir, robots } = Astro.props.frontmatter
const name = ${JSON.stringify(site.name)}
const published = date && new Date(date)
---
<!doctype html>
<html lang={lang} dir={dir}>
  <head>
    <meta charset="utf-8" />
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <meta name="viewport" content="width=device-width" />
    <meta name="generator" content={Astro.generator} />
    <link rel="canonical" href={new URL(Astro.url.pathname, Astro.site)} />
    <title>{title === name ? title : \`\${title} | \${name}\`}</title>
    <meta name="description" content={description} />
    {robots && <meta name="robots" content={robots} />}
    <meta property="og:type" content={author ? 'article' : 'website'} />
    <meta property="og:url" content={Astro.url} />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:image" content={new URL('/blog-placeholder-1.jpg', Astro.url)} />
    {published && <meta property="article:published_time" content={published.toISOString()} />}
  </head>
  <body>
    <nav><a href="/">{name}</a></nav>
    <main>
      <h1>{title}</h1>
      {author && <p>By <a rel="author" href="/crew">{author}</a>, <time datetime={published.toISOString()}>{published.toDateString()}</time></p>}
      <slot />
    </main>
  </body>
</html>
`

const layoutPath = 'src/layouts/page.astro'

function page(words: AnyPage, depth: number, more: Record<string, string> = {}): string {
  return markdown(words, { layout: `${'../'.repeat(depth)}layouts/page.astro`, ...more })
}

export const astro: Generator = {
  packages: { astro: '7.3.5' },
  files: {
    'astro.config.mjs': `import { defineConfig } from 'astro/config'
export default defineConfig({ site: '${site.url}', redirects: { '/${oldPath}': '/docs/guides/tide-table' } })
`,
    [layoutPath]: layout,
    'src/pages/index.md': page(home, 1),
    'src/pages/docs/guides/tide-table.md': page(tideTable, 3),
    'src/pages/docs/reference/berth-signals.md': page(berthSignals, 3),
    'src/pages/blog/quiet-winter.md': page(quietWinter, 2),
    'src/pages/blog/new-crane.md': page(newCrane, 2),
    'src/pages/ar/index.md': page(arabicWelcome, 2, { lang: 'ar', dir: 'rtl' }),
    'src/pages/crew/rota.md': page(rota, 2, { robots: 'noindex, nofollow' }),
    'src/pages/404.md': page(
      { title: 'Not found', description: 'There is no such page.', body: 'There is no such page.\n' },
      1,
    ),
  },
  build: ['astro', 'build'],
  output: 'dist',
}
