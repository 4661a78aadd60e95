import { parseCssColor, toOklch } from '../../lib/color.ts'
import { longerOf } from '../../lib/fields.ts'
import { cutAfterWord } from '../../lib/human-format.ts'
import { languageTag } from '../kit/formats.ts'
import { ogQuery } from '../og/query.ts'
import { letters } from '../preview/site-name.ts'
import { slugTitle } from '../sitemap/llms-places.ts'
import { bylineOf } from './byline.ts'
import type { CardSite, StatedFacts } from './stated-facts.ts'
import { titleWithoutSite } from './title-without-site.ts'

/** Parameters of a card; empty where the page says nothing. */
export interface StatedTexts {
  readonly title: string
  readonly subtitle: string
  readonly eyebrow: string
  readonly author: string
  readonly url: string
  readonly lang: string
  readonly accent: string
}

/** The parameters of a page's card that follow from what the page says. The title is never empty. */
export function cardTexts(facts: StatedFacts, site: CardSite, isFrontPage: boolean): StatedTexts {
  const title = titleWithoutSite(facts, site, isFrontPage) ?? site.name ?? site.host
  const description = facts.description ?? ''
  const lang = languageTag(facts.lang ?? '')
  const section = facts.section ?? ''
  return {
    title,
    subtitle: letters(description) === letters(title) ? '' : description,
    eyebrow: slug.test(section) ? slugTitle(section) : section,
    author: bylineOf(facts, facts.siteName ?? site.name, lang),
    url: site.host,
    lang: lang ?? '',
    accent: accentOf(facts.themeColor) ?? '',
  }
}

/** Generators write the folder of a page as its section. */
const slug = /^[a-z\d]+(?:[-_][a-z\d]+)*$/

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
export function fitText(name: string, value: string): string {
  const max = charsMax.get(name)
  const characters = [...value.normalize()]
  if (typeof max !== 'number' || characters.length <= max) return value
  return cutAfterWord(characters.slice(0, max - 1).join(''))
}
