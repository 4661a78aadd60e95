import { nonEmptyText } from './clean-text.ts'
import { type LinkedData, textOf } from './linked-data.ts'
import type { PageMetadata } from './page-metadata.ts'
import type { ResolveUrl } from './url-resolver.ts'

/** The input of the rules. */
export interface Page {
  readonly metadata: PageMetadata
  readonly linkedData: LinkedData
  readonly resolve: ResolveUrl
  /** The page's URL after redirects. */
  readonly url: string
  /** Response headers, lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

/** One place where a field may be found. The rules of a field are a list, the most trusted place first. */
export interface Rule<Value> {
  readonly source: string
  readonly find: (page: Page) => Value | undefined
}

export interface RuleMatch<Value> {
  readonly value: Value
  readonly source: string
}

/** Returns the first match of the rules. Yields to the cooperative scheduler after each rule. */
export function* firstMatch<Value>(
  rules: readonly Rule<Value>[],
  page: Page,
): Generator<void, RuleMatch<Value> | undefined> {
  for (const { source, find } of rules) {
    const value = find(page)
    yield
    if (value !== undefined) return { value, source }
  }
  return undefined
}

/** The first meta element with this key. */
export function meta(key: string): Rule<string> {
  return {
    source: key.includes(':') ? key : `meta:${key}`,
    find: (page) => metaContents(page, key, 'name', 1)[0],
  }
}

/** The first microdata property with this key. */
export function itemprop(key: string): Rule<string> {
  return {
    source: `itemprop:${key}`,
    find: (page) => metaContents(page, key, 'itemprop', 1)[0],
  }
}

/** A property of the primary JSON-LD node, if its types are accepted. */
export function linkedData(
  key: string,
  acceptsTypes: (types: readonly string[]) => boolean = () => true,
): Rule<string> {
  return {
    source: `jsonld:${key}`,
    find: ({ linkedData: { primary, follow } }) => {
      const types = primary === undefined ? [] : [primary['@type']].flat().map(String)
      return primary !== undefined && acceptsTypes(types) ? textOf(follow(primary[key])) : undefined
    },
  }
}

/** Contents of the meta elements, or microdata properties, with this key; empty ones left out. */
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
    const text = nonEmptyText(entry.content)
    if (text !== undefined) contents.push(text)
  }
  return contents
}

/** A rule whose empty list is no match. */
export function listRule<Value>(
  source: string,
  find: (page: Page) => readonly Value[],
): Rule<readonly Value[]> {
  return {
    source,
    find: (page) => {
      const list = find(page)
      return list.length === 0 ? undefined : list
    },
  }
}
