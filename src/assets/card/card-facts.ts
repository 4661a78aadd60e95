import { hash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { opaqueColor, parseCssColor, toOklch } from '../../lib/color.ts'
import { longerOf, variantsOf } from '../../lib/fields.ts'
import { cutAfterWord } from '../../lib/human-format.ts'
import { mapValues } from '../../lib/json.ts'
import { memo } from '../../lib/memo.ts'
import { utf8 } from '../../lib/query-pairs.ts'
import { cleanText } from '../../text/clean-text.ts'
import { andMore } from '../../text/names/byline.ts'
import { languageTag, readValue } from '../kit/formats.ts'
import { ogQuery } from '../og/query.ts'
import { templateNames, templateOf, usualTemplate } from '../og/templates.ts'
import { alignments, schemes } from '../og/theme.ts'
import { themeNames } from '../og/themes.ts'
import { letters } from '../preview/site-name.ts'
import { type TitledSite, titleWithoutSite } from '../preview/title-without-site.ts'
import { slugTitle } from '../sitemap/llms-places.ts'
import { templateChoices } from './query.ts'
import type { StatedFacts } from './stated-facts.ts'

export interface CardFacts {
  readonly version: typeof factsVersion
  /** Parameters of the page's card by name, those that the page says something for. There is always a title. */
  readonly texts: Readonly<Record<string, string>>
  /** Parameters by template, of those that the page has the facts for; facts of before have none, and are read again. */
  readonly templates?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The templates that `auto` takes, the first of which can be drawn. */
  readonly auto?: readonly string[]
  readonly finalUrl: string
  readonly canonical?: string
  readonly pictures: readonly string[]
  /** The work of the author, or of the person whom the page is about. */
  readonly face?: string
}

/** The template of a page's card, with the parameters that the page answers for; undefined is the usual card, which nobody asked for. */
export function chosenTemplate(
  { texts, templates = {}, auto = [] }: Pick<CardFacts, 'texts' | 'templates' | 'auto'>,
  asked: string | undefined,
  hasPicture: boolean,
) {
  const { template: word, ...usual } = texts
  const wanted = asked === undefined || asked === 'auto' ? (word ?? asked) : asked
  const names: readonly (string | undefined)[] = wanted === 'auto' ? auto : [wanted]
  const name = names.find(
    (each = '') => each in templates && known.has(each) && (each !== 'photo' || hasPicture),
  )
  const own = name === undefined ? {} : templates[name]
  return { template: name ?? (wanted && usualTemplate), texts: { ...usual, ...own } }
}

const known: ReadonlySet<string> = new Set(templateNames)

/** Raised when facts are read in another way: older ones are as good as none. */
export const factsVersion = 1
export const factsBytesMax = 8_192

export function cardFactsTag(facts: CardFacts): string {
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 16)
}

const picturesMax = 3

export function cardFactsOf(
  stated: StatedFacts,
  finalUrl: string,
  canonical: string | null,
  pictures: readonly string[],
): CardFacts {
  const { hostname, pathname } = new URL(finalUrl)
  const site = { host: hostname.replace(/^www\./, ''), name: stated.siteName, titleParts: new Set<string>() }
  const words = wordsOf(stated)
  const { face = stated.about.face ?? '' } = stated.words
  const texts = { ...withoutRepeats(cardTexts(stated, site, pathname === '/'), stated), ...words }
  const accent = opaqueColor(texts.accent) ?? ''
  const facts: CardFacts = {
    version: factsVersion,
    texts: mapValues({ ...texts, accent }, (text, name) => fitText(name, cleanText(text)) || undefined),
    templates: mapValues(templateTexts({ ...stated, words: validWords(stated) }, site), (own) =>
      mapValues(own, (text, name) => (name in words ? undefined : text)),
    ),
    auto: fittingTemplates(stated),
    finalUrl,
    ...(canonical !== null && canonical.length <= addressCharsMax && { canonical }),
    pictures: pictures.filter((address) => address.length <= addressCharsMax).slice(0, picturesMax),
    ...(/^https?:/i.test(face) && face.length <= addressCharsMax && { face }),
  }
  return utf8(JSON.stringify(facts)).length <= factsBytesMax ? facts : shortened(facts)
}

const addressCharsMax = 500

/** Facts with shorter texts, which every card can show all the same. */
function shortened({ texts, finalUrl, templates: _, auto: _a, ...facts }: CardFacts): CardFacts {
  const { title = '', ...others } = texts
  return {
    ...facts,
    finalUrl: new URL(finalUrl).origin,
    texts: { title, ...mapValues(others, (text) => [...text].slice(0, 120).join('')) },
    pictures: [],
    templates: {},
  }
}

/** A card says the name of its site once, and its title once. */
function withoutRepeats(texts: ReturnType<typeof cardTexts>, { siteName = '' }: StatedFacts) {
  const title = letters(texts.title)
  const isSite = title === letters(siteName)
  function unlessShown(text: string): string {
    return letters(text) === title ? '' : text
  }
  return {
    ...texts,
    subtitle: unlessShown(texts.subtitle),
    eyebrow: unlessShown(texts.eyebrow),
    author: isSite && letters(texts.author).startsWith(title) ? '' : unlessShown(texts.author),
    url: unlessShown(texts.url),
  }
}

/** The page's own words for its card. An empty one leaves a part out; a card has a title. */
function wordsOf({ words }: StatedFacts): Readonly<Record<string, string>> {
  return mapValues(ownWords, (values, name) => {
    const word = words[name]
    if (values !== 'text') return values.find((value) => value === word)
    return name === 'title' && word?.trim() === '' ? undefined : word?.trim()
  })
}

/** Words that are no value of their parameter are passed over. */
function validWords({ words }: StatedFacts): StatedFacts['words'] {
  return mapValues(words, (word, name) => {
    const field = (ogQuery.properties as Readonly<Record<string, TSchema>>)[name]
    return field === undefined || readValue(field, word) === undefined ? undefined : word
  })
}

/** The parameters of every card that a page may name, with the values that are taken. */
const ownWords: Readonly<Record<string, 'text' | readonly string[]>> = {
  ...{ title: 'text', subtitle: 'text', eyebrow: 'text', author: 'text', url: 'text' },
  ...{ theme: themeNames, scheme: schemes, align: alignments, template: templateChoices },
}

/** The parameters of a page's card, empty where the page says nothing, but for the title. */
export function cardTexts(facts: StatedFacts, site: TitledSite, isFrontPage: boolean) {
  const title = titleWithoutSite(facts, site, isFrontPage) ?? site.name ?? site.host
  const description = withoutName(facts.description ?? '', title)
  const lang = languageTag(facts.lang ?? '')
  const section = facts.section ?? ''
  return {
    title,
    subtitle: letters(description) === letters(title) ? '' : description,
    // Generators write the folder of a page as its section.
    eyebrow: /^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(section) ? slugTitle(section) : section,
    author: bylineOf(facts, facts.siteName ?? site.name, lang),
    url: site.host,
    lang: lang ?? '',
    accent: accentOf(facts.themeColor) ?? '',
  }
}

/** Manuals say `cat — joins files` below the title `cat`, also where a page is of several things. */
function withoutName(description: string, title: string): string {
  const [whole = '', names = ''] = /^(.{1,80}?)\s[–—-]{1,2}\s(?=\S)/.exec(description) ?? []
  const isNamed = names.split(', ').some((name) => letters(name) === letters(title))
  const rest = description.slice(whole.length)
  return isNamed
    ? rest.replace(/^\p{Ll}+(?=[\s,-])/u, (word) => word.charAt(0).toUpperCase() + word.slice(1))
    : description
}

/** The parameters of templates in place of those of a usual card, for those that the page has what they need for. */
export function templateTexts(facts: StatedFacts, site: TitledSite) {
  const { about, published, authors, words } = facts
  const { date, until, place, version, product, person, code, language, role, stats } = about
  const author = bylineOf({ authors }, facts.siteName ?? site.name, languageTag(facts.lang ?? ''))
  const day = /^\d{4}-\d\d-\d\d/.exec(published ?? '')?.[0]
  const counted = about.words < wordsMin ? '' : `${Math.max(1, Math.round(about.words / wordsPerMinute))}`
  const minutes = about.minutes ?? counted
  const said: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    article: { author, role, date: day, minutes },
    release: { author, date: day, version, title: product },
    quote: { author, role },
    code: { code, language },
    event: { author, date, place, until },
    stats: { stats },
    profile: { author: person && '', role, stats, title: person },
    photo: {},
  }
  return mapValues(said, (texts, name) => {
    const template = templateOf(name)
    const fields: Readonly<Record<string, TSchema>> = template?.parameters ?? {}
    const read = mapValues(texts, (text = '', key) =>
      usualTexts.has(key) || valueIn(fields[key], text) !== undefined ? texts[key] : undefined,
    )
    // A face is a picture, which is read before it is on a card.
    const own = mapValues(fields, (_, key) => (key === 'face' || words[key] === '' ? undefined : words[key]))
    const all = mapValues({ ...read, ...own }, fittedText)
    return template?.required === undefined || template.required in all ? all : undefined
  })
}

/** The value of a template's parameter where texts are cut to their length; undefined for what is none. */
export function valueIn(field: TSchema | undefined, text: string): string | number | undefined {
  const longer = field && variantsOf(field)?.fields['ellipsis']
  return field === undefined || text === '' ? undefined : readValue(longer ?? field, text)
}

const usualTexts: ReadonlySet<string> = new Set(['title', 'author'])

function fittedText(text: string, name: string): string | undefined {
  if (text === '' && name !== 'author') return undefined
  return name === 'code' ? text : fitText(name, cleanText(text))
}

export function fittingTemplates({
  about: { fits, words },
  authors,
  published,
}: StatedFacts): readonly string[] {
  const signs = [authors.length > 0, published !== undefined, words >= wordsMin].filter(Boolean)
  const isPhoto = fits.includes('photo')
  return [
    ...fits.filter((name) => name !== 'photo'),
    ...(signs.length >= signsOfArticle ? ['article'] : []),
    ...(isPhoto ? ['photo'] : []),
  ]
}

const signsOfArticle = 2
/** So long is a text that people ask how long it takes. */
const wordsMin = 200
const wordsPerMinute = 200

/** A page's colour as an accent; undefined for one that says nothing, as the grounds of most pages are. */
function accentOf(themeColor: string | undefined): string | undefined {
  const color = themeColor === undefined ? undefined : parseCssColor(themeColor)
  if (color === undefined) return undefined
  const { l, c } = toOklch(color)
  return c >= chromaMin && l > 0.25 && l < 0.95 ? themeColor : undefined
}

const chromaMin = 0.05

/** Most characters that a card reads of each text, where it may cut them. */
const charsMax = mapValues<TSchema, unknown>(
  ogQuery.properties,
  (field) => longerOf(field)?.maxLength ?? field['maxLength'],
)

/** Cuts a text that no card would read, after a whole word. */
export function fitText(name: string, value: string): string {
  const max = charsMax[name]
  const characters = [...value.normalize()]
  if (typeof max !== 'number' || characters.length <= max) return value
  return cutAfterWord(characters.slice(0, max - 1).join(''))
}

/**
 * The line of authors and date: `Ada Lovelace, Grace Hopper · 3 May 2026`. A date without an author stands behind the name of the
 * site, because a card shows initials of what the line begins with.
 */
export function bylineOf(
  { authors, published }: Pick<StatedFacts, 'authors' | 'published'>,
  siteName: string | undefined,
  lang: string | undefined,
): string {
  const date = published === undefined ? '' : dateText(published, lang)
  const people = authors.filter((name) => letters(name) !== letters(siteName ?? ''))
  const names = people.length > 0 ? namesText(people, lang) : date === '' ? '' : (siteName ?? '')
  if (names === '' || date === '') return names
  // Isolated, because the order of a date in Arabic is lost behind a name in Latin letters.
  return `${names} · ${/^[ -~]*$/.test(date) ? date : `\u2068${date}\u2069`}`
}

const namesCharsMax = 52

function namesText(authors: readonly string[], lang: string | undefined): string {
  for (let count = authors.length; count > 1; count -= 1) {
    const rest = authors.length - count
    const text = authors.slice(0, count).join(', ') + (rest === 0 ? '' : andMore(rest, lang))
    if (text.length <= namesCharsMax) return text
  }
  const [first = ''] = authors
  return authors.length > 1 ? first + andMore(authors.length - 1, lang) : first
}

function dateText(published: string, lang: string | undefined): string {
  const [day = '', year = ''] = /^(\d{4})-\d\d-\d\d/.exec(published) ?? []
  if (day === '') return /^\d{4}$/.exec(published)?.[0] ?? ''
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return year
  return formatterOf(lang ?? 'en-GB').format(date)
}

/** Pages name any number of languages, and a formatter takes 30 KB. */
const formattersMax = 32

const formatterOf = memo(
  (lang: string) => new Intl.DateTimeFormat(supported(lang), { dateStyle: 'long', timeZone: 'UTC' }),
  formattersMax,
)

function supported(lang: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(lang === 'en' ? 'en-GB' : lang)[0] ?? 'en-GB'
  } catch {
    return 'en-GB'
  }
}
