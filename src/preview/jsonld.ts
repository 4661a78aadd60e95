import { repairJson } from './json-repair.ts'
import { VALUE_CHARS_MAX } from './markup.ts'
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

/** Reads the blocks of a page, one in each step of the cooperative scheduler. */
export function* readLinkedData(blocks: readonly string[]): Generator<void, LinkedData> {
  const nodes: JsonObject[] = []
  for (const block of blocks) {
    const value = yield* parseLoosely(block)
    addNodes(value, 0, nodes)
    yield
  }
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
  listOf(node['@type']).flatMap((type) =>
    typeof type === 'string' && type.length <= TYPE_CHARS_MAX ? [type.replace(/^.*[/:#]/, '')] : [],
  )

/** JSON-LD writes one value and a list of one the same way. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, LIST_MAX) : value === undefined || value === null ? [] : [value]

/** A plain text, or the text of a `@value` object. */
export const textOf = (value: unknown): string | null => {
  const [first] = listOf(value)
  if (typeof first === 'number') return String(first)
  return textOrNull(stringOf(isObject(first) ? first['@value'] : first))
}

/** A block may be one long text; a field is as long as one from a meta element at most. */
const stringOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, VALUE_CHARS_MAX) : null

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

/** Adds what stands at the top level, in `@graph` and in `mainEntity`, until there are enough nodes. */
const addNodes = (value: unknown, depth: number, nodes: JsonObject[]): void => {
  if (depth > 3 || nodes.length >= NODES_MAX) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, NODES_MAX)) addNodes(item, depth + 1, nodes)
    return
  }
  if (!isObject(value)) return
  const inner = [...listOf(value['@graph']), ...listOf(value['mainEntity'])]
  if (typesOf(value).length > 0 || inner.length === 0) nodes.push(value)
  for (const item of inner) addNodes(item, depth + 1, nodes)
}

function* parseLoosely(block: string): Generator<void, unknown> {
  const strict = parseJson(block)
  if (strict !== undefined) return strict
  yield
  return parseJson(yield* repairJson(block))
}

/** Undefined for what is no JSON; a nesting that is too deep for the engine is none either. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const NODES_MAX = 200
const TYPE_CHARS_MAX = 200
const LIST_MAX = 50
