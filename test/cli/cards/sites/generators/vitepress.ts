import {
  type AnyPage,
  arabicWelcome,
  berthSignals,
  newCrane,
  oldPath,
  quietWinter,
  rota,
  site,
  tideTable,
} from '../content.ts'
import type { Generator } from '../generator.ts'
import { markdown } from '../markdown.ts'

export const vitepress: Generator = {
  packages: { vitepress: '1.6.4', vue: '3.5.45' },
  files: {
    '.vitepress/config.mjs': `import { defineConfig } from 'vitepress'

export default defineConfig({
  title: '${site.name}',
  description: '${site.description}',
  cleanUrls: true,
  sitemap: { hostname: '${site.url}' },
  locales: {
    root: { label: 'English', lang: 'en-GB' },
    ar: { label: 'العربية', lang: 'ar', dir: 'rtl', title: 'دليل الميناء' },
  },
  head: [
    ['meta', { property: 'og:site_name', content: '${site.name}' }],
    ['meta', { property: 'og:image', content: '${site.url}/logo.png' }],
  ],
  themeConfig: {
    sidebar: [
      { text: 'Guides', items: [{ text: 'Read a tide table', link: '/guides/tide-table' }] },
      { text: 'Reference', items: [{ text: 'Berth signals', link: '/reference/berth-signals' }] },
    ],
  },
})
`,
    'index.md': `---
layout: home
hero:
  name: ${site.name}
  text: Tides, berths and boats
  tagline: Written down once.
---
`,
    'guides/tide-table.md': withHeading(tideTable),
    'reference/berth-signals.md': withHeading(berthSignals),
    'blog/quiet-winter.md': withHeading(quietWinter),
    'blog/new-crane.md': withHeading(newCrane),
    'ar/welcome.md': withHeading(arabicWelcome),
    'crew/rota.md': withHeading(rota, { head: [['meta', { name: 'robots', content: 'noindex' }]] }),
    [`${oldPath}.md`]: markdown(
      { title: 'Moved', description: 'This page has moved.', body: '' },
      { head: [['meta', { 'http-equiv': 'refresh', content: '0; url=/guides/tide-table' }]] },
    ),
  },
  build: ['vitepress', 'build', '.'],
  output: '.vitepress/dist',
}

/** The theme takes the page's heading from its Markdown. */
function withHeading(words: AnyPage, more: Readonly<Record<string, unknown>> = {}) {
  return markdown({ ...words, body: `# ${words.title}\n\n${words.body}` }, more)
}
