import { hash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { opaqueColor } from '../../lib/color.ts'
import { utf8 } from '../../lib/query-pairs.ts'
import { cleanText } from '../../text/clean-text.ts'
import { readValue } from '../kit/formats.ts'
import { ogQuery } from '../og/query.ts'
import { templateNames, usualTemplate } from '../og/templates.ts'
import { alignments, schemes } from '../og/theme.ts'
import { themeNames } from '../og/themes.ts'
import { letters } from '../preview/site-name.ts'
import { cardTexts, fitText, fittingTemplates, templateTexts } from './card-texts.ts'
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
    texts: Object.fromEntries(
      Object.entries({ ...texts, accent }).flatMap(([name, value]) => {
        const text = cleanText(value)
        return text === '' ? [] : [[name, fitText(name, text)]]
      }),
    ),
    templates: Object.fromEntries(
      Object.entries(templateTexts({ ...stated, words: validWords(stated) }, site)).map(([name, own]) => [
        name,
        Object.fromEntries(Object.entries(own).filter(([parameter]) => !(parameter in words))),
      ]),
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
  const short = Object.entries(others).map(([name, value]) => [name, [...value].slice(0, 120).join('')])
  return {
    ...facts,
    finalUrl: new URL(finalUrl).origin,
    texts: { title, ...Object.fromEntries(short) },
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
  const given = textWords.map((name) => [name, words[name]?.trim()] as const)
  const looks = Object.entries(lookWords).map(
    ([name, values]) => [name, values.find((value) => value === words[name])] as const,
  )
  const all = [...given, ...looks].filter(([name, word]) => name !== 'title' || word !== '')
  return Object.fromEntries(all.flatMap(([name, word]) => (word === undefined ? [] : [[name, word]])))
}

/** Words that are no value of their parameter are passed over. */
function validWords({ words }: StatedFacts): StatedFacts['words'] {
  return Object.fromEntries(
    Object.entries(words).filter(([name, word]) => {
      const field = (ogQuery.properties as Readonly<Record<string, TSchema>>)[name]
      return field !== undefined && readValue(field, word) !== undefined
    }),
  )
}

const textWords = ['title', 'subtitle', 'eyebrow', 'author', 'url'] as const
const lookWords: Readonly<Record<string, readonly string[]>> = {
  theme: themeNames,
  scheme: schemes,
  align: alignments,
  template: templateChoices,
}
