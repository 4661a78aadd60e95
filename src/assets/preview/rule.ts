import { weakMemo } from '../../lib/memo.ts'
import { type LinkedData, textOf } from './linked-data.ts'
import type { Meta, PageMetadata } from './page-metadata.ts'
import { cleanPageText, isPlaceholder, nonEmptyText } from './page-text.ts'
import type { ResolveUrl } from './url-resolver.ts'

export interface PageOrigin {
  readonly url: string
  readonly nowMs?: number | undefined
  /** True if the operator allows links to an address that is not public. */
  readonly allowsAddress?: ((address: string) => boolean) | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface PreviewedPage {
  readonly metadata: PageMetadata
  readonly linkedData: LinkedData
  /** Contents of meta elements and of microdata properties by their key. */
  readonly contents: MetaContents
  /** True if a text is the name of the site, of its publisher or of its host. */
  readonly isSiteName: (text: string) => boolean
  readonly resolve: ResolveUrl
  readonly url: string
  readonly nowMs: number
  readonly headers: Readonly<Record<string, string>>
}

/** One place where a field may be found. The rules of a field are a list, the most trusted place first. */
export interface FieldRule<Value> {
  readonly source: string
  readonly find: (page: PreviewedPage) => Value | undefined
}

/** Returns the first match of the rules. Yields to the cooperative scheduler after each rule. */
export function* firstMatch<Value>(
  rules: readonly FieldRule<Value>[],
  page: PreviewedPage,
): Generator<void, { readonly value: Value; readonly source: string } | undefined> {
  for (const { source, find } of rules) {
    const value = find(page)
    yield
    if (value !== undefined) return { value, source }
  }
  return undefined
}

export function meta(key: string): FieldRule<string> {
  const source = key.includes(':') ? key : `meta:${key}`
  return { source, find: (page) => metaContents(page, key, 'name', 1)[0] }
}

export function itemprop(key: string): FieldRule<string> {
  return { source: `itemprop:${key}`, find: (page) => metaContents(page, key, 'itemprop', 1)[0] }
}

export function resolved({ source, find }: FieldRule<string>): FieldRule<string> {
  return { source, find: (page) => page.resolve(find(page)) }
}

export function linkedData(key: string): FieldRule<string> {
  return {
    source: `jsonld:${key}`,
    find: ({ linkedData: { primary, follow } }) => textOf(follow(primary?.[key])),
  }
}

export type MetaContents = Readonly<Record<'name' | 'itemprop', ReadonlyMap<string, readonly string[]>>>

/** Contents of the meta elements, or microdata properties, with this key; empty ones left out. */
export function metaContents(
  { contents }: Pick<PreviewedPage, 'contents'>,
  key: string,
  kind: keyof MetaContents = 'name',
  countMax = Number.POSITIVE_INFINITY,
): readonly string[] {
  const texts: string[] = []
  for (const content of contents[kind].get(key) ?? []) {
    if (texts.length >= countMax) break
    const text = nonEmptyText(content)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

export function contentsLike({ contents }: PreviewedPage, pattern: RegExp): readonly string[] {
  return [...contents.name].flatMap(([key, texts]) => (pattern.test(key) ? texts.map(cleanPageText) : []))
}

export function contentsOf(metas: readonly Meta[]): MetaContents {
  const contents = { name: new Map<string, string[]>(), itemprop: new Map<string, string[]>() }
  for (const { kind, key, content } of metas) {
    if (isPlaceholder(content)) continue
    const byKey = contents[kind === 'itemprop' ? kind : 'name']
    const list = byKey.get(key) ?? []
    list.push(content)
    byKey.set(key, list)
  }
  return contents
}

/** The rule without the values that do not pass: they are no match. */
export function passing<Value>(
  rule: FieldRule<Value>,
  passes: (value: Value, page: PreviewedPage) => boolean,
): FieldRule<Value> {
  return {
    source: rule.source,
    find: (page) => {
      const value = rule.find(page)
      return value !== undefined && passes(value, page) ? value : undefined
    },
  }
}

/** For what several rules of a page need: computed for the first of them. */
export function oncePerPage<Value>(compute: (page: PreviewedPage) => Value) {
  return weakMemo(compute)
}

export function listRule<Value>(
  source: string,
  find: (page: PreviewedPage) => readonly Value[],
): FieldRule<readonly Value[]> {
  return {
    source,
    find: (page) => {
      const list = find(page)
      return list.length === 0 ? undefined : list
    },
  }
}
