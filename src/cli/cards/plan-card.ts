import { languageTag } from '../../assets/language-tag.ts'
import { ogQuery } from '../../assets/og/query.ts'
import { letters } from '../../assets/preview/site-identity.ts'
import { slugTitle } from '../../assets/sitemap/slug-title.ts'
import type { QueryPair } from '../../lib/canonical-query.ts'
import { toOklch } from '../../lib/color.ts'
import { parseCssColor } from '../../lib/css-color.ts'
import { longerOf } from '../../lib/fields.ts'
import { bylineOf } from './byline.ts'
import type { PageFacts } from './page-facts.ts'
import { isFrontPage } from './page-path.ts'
import { titleWithoutSite } from './page-title.ts'
import type { SiteFacts } from './site-facts.ts'

/** How cards look where no page says otherwise. */
export interface CardLook {
  /** Parameters of cards by name. */
  readonly parameters: ReadonlyMap<string, string>
  /** Themes by the beginning of the page's path. */
  readonly themes: readonly { readonly section: string; readonly theme: string }[]
}

/** Names of the parameters of cards. */
export interface ParameterNames {
  readonly all: ReadonlySet<string>
  /** The names that a page may give by its own words. */
  readonly ofPages: ReadonlySet<string>
}

export interface PlannedCard {
  /** Parameters of the card. */
  readonly parameters: readonly QueryPair[]
  /** The title of the page without the name of its site. */
  readonly title: string
  /** Names of the page's own words that no card has. */
  readonly unknownWords: readonly string[]
}

/** Makes the parameters of a page's card: its own words, else what it says, in the look that its place has. */
export function planCard(
  file: string,
  facts: PageFacts,
  site: SiteFacts,
  look: CardLook,
  names: ParameterNames,
): PlannedCard {
  const { host } = new URL(site.base)
  const title = titleWithoutSite(facts, site, isFrontPage(file)) ?? site.name ?? host
  const description = facts.description ?? ''
  const lang = languageTag(facts.lang ?? '')
  const section = facts.section ?? ''
  const theme = themeOf(file, look)
  const said = {
    title,
    subtitle: letters(description) === letters(title) ? '' : description,
    eyebrow: slug.test(section) ? slugTitle(section) : section,
    author: bylineOf(facts, facts.siteName ?? site.name, lang),
    url: host,
    lang: lang ?? '',
    accent: accentOf(facts.themeColor) ?? '',
    overflow: 'ellipsis',
  }
  const words = Object.entries(facts.words)
  const all = new Map([
    ...Object.entries(said).filter(([, value]) => value !== ''),
    ...look.parameters,
    ...(theme === undefined ? [] : [['theme', theme] as const]),
    // An empty word leaves a part out. A card has a title.
    ...words.filter(([name, value]) => names.ofPages.has(name) && (name !== 'title' || value.trim() !== '')),
  ])
  return {
    title,
    parameters: [...all].flatMap(([name, value]): readonly QueryPair[] =>
      names.all.has(name) && value !== '' ? [[name, fit(name, value)]] : [],
    ),
    unknownWords: words.map(([name]) => name).filter((name) => !names.ofPages.has(name)),
  }
}

/** Generators write the folder of a page as its section. */
const slug = /^[a-z\d]+(?:[-_][a-z\d]+)*$/

/** The theme of the longest section that the page lies in. */
function themeOf(file: string, { themes }: CardLook): string | undefined {
  const fitting = themes.filter(({ section }) => file.startsWith(section))
  return fitting.toSorted((one, other) => other.section.length - one.section.length)[0]?.theme
}

/** A page's colour as an accent; undefined for one that says nothing, as the grounds of most pages are. */
function accentOf(themeColor: string | undefined): string | undefined {
  const color = themeColor === undefined ? undefined : parseCssColor(themeColor)
  if (color === undefined) return undefined
  const { l, c } = toOklch(color)
  return c >= chromaMin && l > 0.25 && l < 0.95 ? themeColor : undefined
}

const chromaMin = 0.05

/** Most characters that a card reads of each text, where it may cut them. */
const charsMax = new Map(
  Object.entries(ogQuery.properties).map(([name, field]: [string, Readonly<Record<string, unknown>>]) => [
    name,
    longerOf(field)?.maxLength ?? field['maxLength'],
  ]),
)

/** Cuts a text that no card would read, after a whole word. */
function fit(name: string, value: string): string {
  const max = charsMax.get(name)
  const characters = [...value.normalize()]
  if (typeof max !== 'number' || characters.length <= max) return value
  const start = characters.slice(0, max - 1).join('')
  const lastSpace = start.lastIndexOf(' ')
  return `${(lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`
}
