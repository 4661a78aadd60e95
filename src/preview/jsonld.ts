import { repairJson } from './json-repair.ts'
import { textOrNull } from './text.ts'

export type JsonObject = { readonly [key: string]: unknown }

/** The things that a page's JSON-LD blocks speak of. */
export interface LinkedData {
  /** Every node of the top level, `@graph` and `mainEntity`, in the order of the page. */
  readonly nodes: readonly JsonObject[]
  /** The node that the page is about. */
  readonly primary: JsonObject | null
  /** The node itself, or the one that its `@id` points to. */
  follow(value: unknown): unknown
}

export const readLinkedData = (blocks: readonly string[]): LinkedData => {
  const nodes = blocks.flatMap((block) => flatten(parseLoosely(block), 0)).slice(0, NODES_MAX)
  const byId = new Map(
    nodes.filter((node) => typesOf(node).length > 0).map((node) => [node['@id'], node] as const),
  )
  return {
    nodes,
    primary: mostSpecific(nodes),
    follow: (value) => {
      const id = isObject(value) && typesOf(value).length === 0 ? value['@id'] : undefined
      return (typeof id === 'string' ? byId.get(id) : undefined) ?? value
    },
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Type names without the address of their vocabulary. */
export const typesOf = (node: JsonObject): readonly string[] =>
  listOf(node['@type']).flatMap((type) => (typeof type === 'string' ? [type.replace(/^.*[/:#]/, '')] : []))

/** JSON-LD writes one value and a list of one the same way. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, LIST_MAX) : value === undefined || value === null ? [] : [value]

/** A plain text, or the text of a `@value` object. */
export const textOf = (value: unknown): string | null => {
  const [first] = listOf(value)
  if (typeof first === 'number') return String(first)
  return textOrNull(typeof first === 'string' ? first : isObject(first) ? stringOf(first['@value']) : null)
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What a page is about comes before what it is part of. */
const TYPE_RANKS: readonly RegExp[] = [
  /(Article|Posting|Report|Review)$/,
  /^(VideoObject|Movie|TVEpisode|TVSeries|Clip|MusicRecording|MusicAlbum|PodcastEpisode|AudioObject)$/,
  /^(Product|ProductGroup|Recipe|Event|Book|Course|HowTo|JobPosting|SoftwareApplication|Dataset|Place|QAPage|FAQPage)$/,
  /(Event|Application|Page)$/,
  /^(Person|ProfilePage|CreativeWork|ImageObject)$/,
]

const mostSpecific = (nodes: readonly JsonObject[]): JsonObject | null => {
  for (const rank of TYPE_RANKS) {
    const found = nodes.find((node) => typesOf(node).some((type) => rank.test(type)))
    if (found !== undefined) return found
  }
  return null
}

const flatten = (value: unknown, depth: number): readonly JsonObject[] => {
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, NODES_MAX).flatMap((item) => flatten(item, depth + 1))
  if (!isObject(value)) return []
  const inner = [...listOf(value['@graph']), ...listOf(value['mainEntity'])]
  const itself = typesOf(value).length > 0 || inner.length === 0 ? [value] : []
  return [...itself, ...inner.flatMap((item) => flatten(item, depth + 1))]
}

const parseLoosely = (block: string): unknown => {
  for (const candidate of [() => block, () => repairJson(block)]) {
    try {
      return JSON.parse(candidate())
    } catch {
      // The next reading may succeed; a block that nobody can read says nothing.
    }
  }
  return null
}

const NODES_MAX = 200
const LIST_MAX = 50
