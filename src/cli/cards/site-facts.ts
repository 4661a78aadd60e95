import { letters, titleParts } from '../../assets/preview/site-name.ts'
import type { PageFacts } from './page-facts.ts'

/** Facts that the pages of a site have in common. */
export interface SiteFacts {
  /** Ends with a slash. */
  readonly base: string
  /** The name that most pages say, or that most titles end with; undefined if there is none. */
  readonly name: string | undefined
  /** Parts of titles that most pages share, as letters. */
  readonly titleParts: ReadonlySet<string>
  /** Addresses of pictures that most pages share. */
  readonly defaultPictures: ReadonlySet<string>
}

/** Counts what pages share; the pages themselves need not be kept. */
export function createSiteCounter() {
  const names = new Map<string, number>()
  const parts = new Map<string, { readonly text: string; count: number }>()
  const pictures = new Map<string, number>()
  let pages = 0

  function isShared(count: number): boolean {
    return count >= sharedMin && count * 2 > pages
  }

  return {
    add({ siteName, title, picture }: PageFacts): void {
      pages += 1
      if (siteName !== undefined) increase(names, siteName)
      if (picture !== undefined) increase(pictures, picture)
      const all = titleParts(title)
      for (const text of new Set(all.length === 1 ? all : [all[0], all.at(-1)])) {
        const key = letters(text ?? '')
        const entry = parts.get(key)
        if (entry !== undefined) entry.count += 1
        else if (key !== '' && text !== undefined) parts.set(key, { text, count: 1 })
      }
    },
    /** @param knownDefaults pictures that an earlier run has replaced */
    facts(base: string, knownDefaults: readonly string[]): SiteFacts {
      const [commonName] = mostCommon(names)
      const shared = [...parts].filter(([, { count }]) => isShared(count))
      const [, sharedPart] = shared.toSorted(([, one], [, other]) => other.count - one.count)[0] ?? []
      return {
        base,
        name: commonName ?? sharedPart?.text,
        titleParts: new Set(shared.map(([key]) => key)),
        defaultPictures: new Set([
          ...knownDefaults,
          ...[...pictures].flatMap(([picture, count]) => (isShared(count) ? [picture] : [])),
        ]),
      }
    },
  }
}

/** One page more or less says nothing. */
const sharedMin = 3

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function mostCommon(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([key]) => key)
}
