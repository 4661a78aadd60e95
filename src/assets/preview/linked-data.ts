import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts'
import { isTooDeep } from '../../lib/json-depth.ts'
import { nonEmptyText } from './clean-text.ts'
import { valueCharsMax } from './markup-reader.ts'
import { isPlaceholder } from './placeholder.ts'
import { repairJson } from './repair-json.ts'

/** The nodes of the JSON-LD blocks of a page. */
export interface LinkedData {
  /** Every node of the top level, `@graph` and `mainEntity`, in the order of the page. */
  readonly nodes: readonly JsonObject[]
  /** The node that the page is about. */
  readonly primary: JsonObject | undefined
  /** Returns the node that an `@id` refers to, or the value itself. */
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
    primary: findPrimary(nodes),
    follow: (value) => {
      const id = isJsonObject(value) && typesOf(value).length === 0 ? value['@id'] : undefined
      return (typeof id === 'string' ? byId.get(id) : undefined) ?? value
    },
  }
}

/** The types of a node, without the vocabulary in front: `Article` for `https://schema.org/Article`. */
export function typesOf(node: JsonObject): readonly string[] {
  return asList(node['@type']).flatMap((type) =>
    typeof type === 'string' && type.length <= typeCharsMax ? [type.replace(/^.*[/:#]/, '')] : [],
  )
}

/** JSON-LD writes a list of one as the value alone. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, listMax) : value === undefined || value === null ? [] : [value]
}

/** Returns the text of a value, of the first of several. */
export function textOf(value: unknown): string | undefined {
  const [first] = asList(value)
  if (typeof first === 'number') return String(first)
  const text = stringOf(isJsonObject(first) ? first['@value'] : first)
  return text === undefined || isPlaceholder(text) ? undefined : nonEmptyText(text)
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, valueCharsMax) : undefined
}

/** Types of primary nodes, best first: what a page is about comes before what it is part of. */
const typeRanks: readonly RegExp[] = [
  /(Article|Posting|Report|Review)$/,
  /^(VideoObject|Movie|TVEpisode|TVSeries|Clip|MusicRecording|MusicAlbum|PodcastEpisode|AudioObject)$/,
  /^(Product|ProductGroup|Recipe|Event|Book|Course|HowTo|JobPosting|SoftwareApplication|Dataset|Place|QAPage|FAQPage)$/,
  /(Event|Application|Page)$/,
  /^(Person|ProfilePage|CreativeWork|ImageObject)$/,
]

function findPrimary(nodes: readonly JsonObject[]): JsonObject | undefined {
  for (const rank of typeRanks) {
    const node = nodes.find((candidate) => typesOf(candidate).some((type) => rank.test(type)))
    if (node !== undefined) return node
  }
  return undefined
}

function addNodes(value: unknown, depth: number, nodes: JsonObject[]): void {
  if (depth > 3 || nodes.length >= nodesMax) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, nodesMax)) addNodes(item, depth + 1, nodes)
    return
  }
  if (!isJsonObject(value)) return
  const inner = [...asList(value['@graph']), ...asList(value['mainEntity'])]
  if (typesOf(value).length > 0 || inner.length === 0) nodes.push(value)
  for (const item of inner) addNodes(item, depth + 1, nodes)
}

/** Undefined also for what is too long or too deep to be parsed in one step. */
function* parseLoosely(block: string): Generator<void, unknown> {
  if (block.length > blockCharsMax || (yield* isTooDeep(block))) return undefined
  const strict = parseJson(block)
  if (strict !== undefined) return strict
  yield
  return parseJson(yield* repairJson(block))
}

/** `JSON.parse` takes a few milliseconds for as much, whatever it is. */
const blockCharsMax = 262_144
const nodesMax = 200
const typeCharsMax = 200
const listMax = 50
