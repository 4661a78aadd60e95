import { hash } from 'node:crypto'
import { isJsonObject, parseJson } from '../../lib/json.ts'

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

/** Reads what was kept; undefined if it is of another version. */
export function readCardFacts(text: string): CardFacts | undefined {
  const facts = parseJson(text)
  return isJsonObject(facts) && facts['version'] === factsVersion
    ? (facts as unknown as CardFacts)
    : undefined
}

/** Names the facts: equal tags, equal facts. */
export function cardFactsTag(facts: CardFacts): string {
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 16)
}
