import { textOrNull } from './clean-text.ts'
import { type LinkedData, textOf } from './linked-data.ts'
import type { PageMetadata } from './page-metadata.ts'
import type { ResolveUrl } from './url-resolver.ts'

/** Everything that the rules may ask. */
export interface Page {
  readonly metadata: PageMetadata
  readonly linkedData: LinkedData
  readonly resolve: ResolveUrl
  /** The page's URL after redirects. */
  readonly url: string
  /** Response headers, lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

/** One place where a field may be found. A field is the list of its places, the most trusted first. */
export interface Rule<Value> {
  readonly source: string
  readonly find: (page: Page) => Value | null
}

export interface RuleMatch<Value> {
  readonly value: Value
  readonly source: string
}

/** What the most trusted place says that says anything; a step of the cooperative scheduler for each place. */
export function* firstMatch<Value>(
  rules: readonly Rule<Value>[],
  page: Page,
): Generator<void, RuleMatch<Value> | null> {
  for (const { source, find } of rules) {
    const value = find(page)
    yield
    if (value !== null) return { value, source }
  }
  return null
}

export function meta(key: string): Rule<string> {
  return {
    source: key.includes(':') ? key : `meta:${key}`,
    find: (page) => metaContents(page, key, 'name', 1)[0] ?? null,
  }
}

export function itemprop(key: string): Rule<string> {
  return {
    source: `itemprop:${key}`,
    find: (page) => metaContents(page, key, 'itemprop', 1)[0] ?? null,
  }
}

export function linkedData(
  key: string,
  isFor: (types: readonly string[]) => boolean = () => true,
): Rule<string> {
  return {
    source: `jsonld:${key}`,
    find: ({ linkedData: { primary, follow } }) => {
      const types = primary === null ? [] : [primary['@type']].flat().map(String)
      return primary !== null && isFor(types) ? textOf(follow(primary[key])) : null
    },
  }
}

export function metaContents(
  page: Page,
  key: string,
  kind: 'name' | 'itemprop' = 'name',
  countMax = Number.POSITIVE_INFINITY,
): readonly string[] {
  const contents: string[] = []
  for (const entry of page.metadata.metas) {
    if (contents.length >= countMax) break
    if (entry.key !== key || (entry.kind === 'itemprop') !== (kind === 'itemprop')) continue
    const text = textOrNull(entry.content)
    if (text !== null) contents.push(text)
  }
  return contents
}

export function listRule<Value>(
  source: string,
  find: (page: Page) => readonly Value[],
): Rule<readonly Value[]> {
  return {
    source,
    find: (page) => {
      const list = find(page)
      return list.length === 0 ? null : list
    },
  }
}
