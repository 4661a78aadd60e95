import { isJsonObject, isTooDeep, type JsonObject, jsonDepthMax, parseJson } from '../../lib/json.ts'
import { valueCharsMax } from './markup-reader.ts'
import { isPlaceholder, nonEmptyText } from './page-text.ts'

export interface LinkedData {
  /** Every node of the top level, `@graph` and `mainEntity`, in the order of the page. */
  readonly nodes: readonly JsonObject[]
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

const typeCharsMax = 200

/** The types of a node, without the vocabulary in front: `Article` for `https://schema.org/Article`. */
export function typesOf(node: JsonObject): readonly string[] {
  return asList(node['@type']).flatMap((type) =>
    typeof type === 'string' && type.length <= typeCharsMax ? [type.replace(/^.*[/:#]/, '')] : [],
  )
}

/** JSON-LD writes a list of one as the value alone. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 50) : value === undefined || value === null ? [] : [value]
}

export function textOf(value: unknown): string | undefined {
  const [first] = asList(value)
  if (typeof first === 'number') return String(first)
  const raw = isJsonObject(first) ? first['@value'] : first
  const text = typeof raw === 'string' ? raw.slice(0, valueCharsMax) : ''
  return isPlaceholder(text) ? undefined : nonEmptyText(text)
}

export function hrefOf(node: unknown): string | undefined {
  const href = isJsonObject(node) ? (node['url'] ?? node['contentUrl'] ?? node['@id']) : node
  return typeof href === 'string' ? href : undefined
}

export function nameOf(node: unknown): string | undefined {
  return textOf(isJsonObject(node) && !('@value' in node) ? node['name'] : node)
}

/** Types of primary nodes, best first: what a page is about comes before what it is part of. */
const typeRanks: readonly RegExp[] = [
  /(Article|Posting|Report|Review)$/,
  /^(VideoObject|Movie|TVEpisode|TVSeries|Clip|MusicRecording|MusicAlbum|PodcastEpisode|AudioObject)$/,
  /^(Product|ProductGroup|Recipe|Event|Book|Course|HowTo|JobPosting|SoftwareApplication|Dataset|Place|QAPage|FAQPage)$/,
  /(Event|Application|Page)$/,
  /^(Person|ProfilePage|CreativeWork|ImageObject|Photograph)$/,
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

const stepTokens = 1_000

/**
 * Repairs the usual mistakes in JSON-LD blocks: comments and CDATA sections, trailing commas, line breaks in strings,
 * `\x26` and other escapes that JSON does not know, text after the end. Takes one pass, and yields to the cooperative
 * scheduler. Returns an empty string for text that is too long or nested too deep.
 */
function* repairJson(text: string): Generator<void, string> {
  if (text.length > 131_072) return ''
  const out: string[] = []
  let depth = 0
  let at = 0
  for (let tokens = 1; at < text.length; tokens += 1) {
    if (tokens % stepTokens === 0) yield
    const token = nextToken(text, at)
    at += token.length
    const first = token[0] ?? ''
    if (wrapper.test(token)) continue
    if (first === '}' || first === ']') {
      dropTrailingComma(out)
      depth = Math.max(0, depth - 1)
    } else if (first === '{' || first === '[') depth += 1
    out.push(first === '"' ? repairString(token) : token)
    if (depth > jsonDepthMax) return ''
    if (depth === 0 && (first === '}' || first === ']')) break
  }
  return out.join('')
}

const anyToken =
  /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<!\[CDATA\[|<!--|-->|\]\]>|[^"/<>[\]{},-]+|[\s\S]/y

const wrapper = /^(?:\/\/|\/\*|<!|-->|\]\]>)/

function nextToken(text: string, at: number): string {
  anyToken.lastIndex = at
  return anyToken.exec(text)?.[0] ?? text.slice(at)
}

function dropTrailingComma(out: string[]): void {
  while (out.length > 0 && (out.at(-1) ?? '').trim() === '') out.pop()
  if (out.at(-1) === ',') out.pop()
}

function repairString(literal: string): string {
  return (
    literal
      .replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])/g, (whole, escaped: string) => {
        if (/^x./.test(escaped)) return `\\u00${escaped.slice(1)}`
        return /^(["\\/bfnrt]|u.)/.test(escaped) ? whole : escaped
      })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings
      .replace(/[\u0000-\u001f]+/g, ' ')
  )
}
