import {
  type AnyPage,
  berthSignals,
  home,
  japaneseWelcome,
  newCrane,
  quietWinter,
  site,
  tideTable,
} from '../content.ts'
import type { Generator } from '../generator.ts'

/** Its own notation of fields, and the title as a heading. */
function page({ title, description, body, author }: AnyPage): string {
  const fields = [`description: ${description}`, ...(author === undefined ? [] : [`author: ${author}`])]
  return `${fields.join('\n')}\n\n# ${title}\n\n${body}`
}

export const mkdocs: Generator = {
  files: {
    'mkdocs.yml': `site_name: ${site.name}
site_url: ${site.url}/
site_description: ${site.description}
theme:
  name: mkdocs
  locale: en
nav:
  - Home: index.md
  - Guides:
    - guides/tide-table.md
  - Reference:
    - reference/berth-signals.md
  - News:
    - news/quiet-winter.md
    - news/new-crane.md
  - ja/welcome.md
`,
    'docs/index.md': page(home),
    'docs/guides/tide-table.md': page(tideTable),
    'docs/reference/berth-signals.md': page(berthSignals),
    'docs/news/quiet-winter.md': page(quietWinter),
    'docs/news/new-crane.md': page(newCrane),
    'docs/ja/welcome.md': page(japaneseWelcome),
  },
  build: ['mkdocs', 'build', '--quiet'],
  output: 'site',
}
