import { cleanText, nonEmptyText } from './clean-text.ts'
import { type LinkedData, textOf } from './linked-data.ts'
import type { Meta, PageMetadata } from './page-metadata.ts'
import type { ResolveUrl } from './url-resolver.ts'

/** The input of the rules. */
export interface Page {
  readonly metadata: PageMetadata
  readonly linkedData: LinkedData
  /** Contents by kind and key of the meta element. */
  readonly contents: ReadonlyMap<string, readonly string[]>
  /** Whether a text is the name of the site, of its publisher or of its host. */
  readonly isSiteName: (text: string) => boolean
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
  { contents }: Pick<Page, 'contents'>,
  key: string,
  kind: 'name' | 'itemprop' = 'name',
  countMax = Number.POSITIVE_INFINITY,
): readonly string[] {
  const texts: string[] = []
  for (const content of contents.get(`${kind} ${key}`) ?? []) {
    if (texts.length >= countMax) break
    const text = nonEmptyText(content)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

/** Contents of the meta elements whose keys match. */
export function contentsLike({ contents }: Page, pattern: RegExp): readonly string[] {
  return [...contents].flatMap(([name, texts]) =>
    name.startsWith('name ') && pattern.test(name.slice(5)) ? texts.map(cleanText) : [],
  )
}

export function contentsOf(metas: readonly Meta[]): Page['contents'] {
  const contents = new Map<string, string[]>()
  for (const { kind, key, content } of metas) {
    const name = `${kind === 'itemprop' ? kind : 'name'} ${key}`
    const list = contents.get(name)
    if (list === undefined) contents.set(name, [content])
    else list.push(content)
  }
  return contents
}

/** The rule without the values that do not pass: they are no match. */
export function passing<Value>(rule: Rule<Value>, passes: (value: Value, page: Page) => boolean): Rule<Value> {
  return {
    source: rule.source,
    find: (page) => {
      const value = rule.find(page)
      return value !== undefined && passes(value, page) ? value : undefined
    },
  }
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
