import { hash } from 'node:crypto'
import { opaqueColor } from '../../lib/color.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { utf8 } from '../../lib/query-pairs.ts'
import { cleanText } from '../../text/clean-text.ts'
import { schemes } from '../og/theme.ts'
import { themeNames } from '../og/themes.ts'
import { letters } from '../preview/site-name.ts'
import { cardTexts, fitText } from './card-texts.ts'
import type { StatedFacts } from './stated-facts.ts'

/** Facts of a page that are kept, as JSON of at most `factsBytesMax`. */
export interface CardFacts {
  readonly version: typeof factsVersion
  /** Parameters of the page's card by name, those that the page says something for. There is always a title. */
  readonly texts: Readonly<Record<string, string>>
  /** The address after redirects. */
  readonly finalUrl: string
  readonly canonical?: string
  /** Addresses of pictures for the card, the best first. */
  readonly pictures: readonly string[]
}

/** Raised when facts are read in another way: older ones are as good as none. */
export const factsVersion = 1
export const factsBytesMax = 4_096

export function readCardFacts(text: string): CardFacts | undefined {
  const facts = parseJson(text)
  return isJsonObject(facts) && facts['version'] === factsVersion
    ? (facts as unknown as CardFacts)
    : undefined
}

export function cardFactsTag(facts: CardFacts): string {
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 16)
}

export function cardFactsOf(
  stated: StatedFacts,
  finalUrl: string,
  canonical: string | null,
  pictures: readonly string[],
): CardFacts {
  const { hostname, pathname } = new URL(finalUrl)
  const site = { host: hostname.replace(/^www\./, ''), name: stated.siteName, titleParts: new Set<string>() }
  const texts = { ...withoutRepeats(cardTexts(stated, site, pathname === '/'), stated), ...wordsOf(stated) }
  const accent = opaqueColor(texts.accent) ?? ''
  const facts: CardFacts = {
    version: factsVersion,
    texts: Object.fromEntries(
      Object.entries({ ...texts, accent }).flatMap(([name, value]) => {
        const text = cleanText(value)
        return text === '' ? [] : [[name, fitText(name, text)]]
      }),
    ),
    finalUrl,
    ...(canonical !== null && canonical.length <= addressCharsMax && { canonical }),
    pictures: pictures.filter((address) => address.length <= addressCharsMax).slice(0, picturesMax),
  }
  return utf8(JSON.stringify(facts)).length <= factsBytesMax ? facts : shortened(facts)
}

const addressCharsMax = 500
const picturesMax = 3

/** Facts with shorter texts, which every card can show all the same. */
function shortened({ texts, finalUrl, ...facts }: CardFacts): CardFacts {
  const { title = '', ...others } = texts
  const short = Object.entries(others).map(([name, value]) => [name, [...value].slice(0, 120).join('')])
  return {
    ...facts,
    finalUrl: new URL(finalUrl).origin,
    texts: { title, ...Object.fromEntries(short) },
    pictures: [],
  }
}

/** A card says the name of its site once, and its title once. */
function withoutRepeats(texts: ReturnType<typeof cardTexts>, { siteName = '' }: StatedFacts) {
  const title = letters(texts.title)
  const isSite = title === letters(siteName)
  const shown = new Set([title, ...(isSite ? [letters(siteName)] : [])])
  function unlessShown(text: string): string {
    return shown.has(letters(text)) ? '' : text
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
  return Object.fromEntries(
    [...given, ...looks].flatMap(([name, word]) =>
      word === undefined || (name === 'title' && word === '') ? [] : [[name, word]],
    ),
  )
}

const textWords = ['title', 'subtitle', 'eyebrow', 'author', 'url'] as const
const lookWords: Readonly<Record<string, readonly string[]>> = {
  theme: themeNames,
  scheme: schemes,
  align: ['start', 'center'],
}
