import { createCpuBudget, inTurn } from '../../../lib/cooperative-scheduler.ts'
import { closestWord } from '../../../lib/edit-distance.ts'
import { withinCharacters } from '../../../lib/human-format.ts'
import { isJsonObject, isTooDeep } from '../../../lib/json.ts'
import { cleanText } from '../../../text/clean-text.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import { findByPath, PathTooCostly } from './json-path.ts'
import type { Location } from './json-scanner.ts'
import { type DocumentFormat, type DocumentSource, messageCharsMax } from './source.ts'

export interface Search extends Pick<DocumentSource, 'format' | 'path'> {
  readonly text: string
}

/** It is plain data, because a thread may send it. */
export interface Finding {
  /** A text for a query, else the members of the document that an endpoint may have. */
  readonly found:
    | { readonly value: string; readonly number?: number }
    | { readonly members: Readonly<Record<string, unknown>> }
    | { readonly failure: 'no_value' | 'too_complex'; readonly misspelt?: string | undefined }
  readonly cacheSeconds: string | undefined
}

interface ParsedDocument {
  readonly value: unknown
  /** Parses the document again, with its numbers, booleans and dates as texts as they are written. */
  readonly written: () => unknown
}

/** Values whose source texts are looked up: a message has room for fewer. */
const sourcesMax = 2 * messageCharsMax

/** Finds a value in a document. Rejects with FetchFailure `invalid_document` for what is no document of the named format. */
export async function findValue({ text, format, path }: Search, stepsMax?: number): Promise<Finding> {
  if (format === 'xml')
    return { found: await findInXml(text, path ?? '').catch(tooComplex), cacheSeconds: undefined }
  const document = await asDocument(() => parsers[format](text))
  const cacheSeconds = isJsonObject(document.value) ? scalarText(document.value['cacheSeconds']) : undefined
  const found =
    path === undefined
      ? endpointMembers(document)
      : await findByQuery(document, path, stepsMax).catch(tooComplex)
  return { found, cacheSeconds }
}

/** The members of the endpoint schema, the message by its source text. */
function endpointMembers({ value, written }: ParsedDocument): Finding['found'] {
  if (!isJsonObject(value)) throw new FetchFailure('invalid_document')
  const misspelt = Object.keys(value).find((name) => closestWord(name, ['message']) !== undefined)
  if (!('message' in value)) return { failure: 'no_value', misspelt }
  const members = Object.fromEntries(
    endpointNames.flatMap((name) => (name in value ? [[name, value[name]]] : [])),
  )
  if (typeof members['message'] !== 'number') return { members }
  return { members: { ...members, message: textAt(['message'], written()) } }
}

const endpointNames = [
  ...['schemaVersion', 'label', 'message', 'color', 'labelColor', 'isError', 'namedLogo', 'logoSvg'],
  ...['logoColor', 'logoSize', 'logoWidth', 'style'],
]

async function findByQuery({ value, written }: ParsedDocument, path: string, stepsMax?: number) {
  // Nothing can interrupt a query, so it starts in a turn of the event loop in which little else was done.
  const nodes = await inTurn(() => findByPath(path, value, stepsMax))
  const [only] = nodes
  const isWritten = nodes.slice(0, sourcesMax).some((node) => hasSource(node.value))
  const source = isWritten ? written() : undefined
  const shown = nodes.map(({ value: found, location }, index) =>
    index < sourcesMax && hasSource(found) ? (textAt(location, source) ?? found) : found,
  )
  const number = nodes.length === 1 && typeof only?.value === 'number' ? { number: only.value } : {}
  return { ...joined(shown), ...number }
}

function tooComplex(error: unknown): Finding['found'] {
  if (error instanceof PathTooCostly) return { failure: 'too_complex' }
  throw error
}

/** Numbers, booleans, and dates of TOML, which are texts by now. */
function hasSource(value: unknown): boolean {
  return typeof value === 'string'
    ? /^\d{2,4}[-:]\d\d/.test(value)
    : ['number', 'boolean'].includes(typeof value)
}

async function findInXml(text: string, path: string): Promise<Finding['found']> {
  const { findInTree, readXml } = await import('./xml-path.ts')
  return joined(findInTree(await asDocument(() => readXml(text)), path))
}

/** The values that a query found, joined as shields.io joins them; a failure where one of these is empty. */
export function joined(found: readonly unknown[]): Finding['found'] {
  if (found.length === 0 || !found.every(isScalar)) return { failure: 'no_value' }
  // A query can find one long text thousands of times.
  const known = new Map<unknown, string>()
  let all = ''
  for (const value of found) {
    const text = known.get(value) ?? scalarText(value)
    if (text === undefined) return { failure: 'no_value' }
    known.set(value, text)
    all += all === '' ? text : `, ${text}`
    if (all.length > 2 * messageCharsMax) break
  }
  return { value: withinCharacters(all, messageCharsMax) }
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
}

/** The clean text of a value that is one; undefined for an empty text and for what is no scalar. */
export function scalarText(value: unknown): string | undefined {
  if (!isScalar(value)) return undefined
  // Far longer than any badge shows, and cleaning takes a while.
  return cleanText(String(value).slice(0, textUnitsMax)) || undefined
}

const textUnitsMax = 2_000

/** Rejects with FetchFailure `invalid_document` where a document cannot be read. */
export async function asDocument<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof PathTooCostly ? error : new FetchFailure('invalid_document')
  }
}

const parsers: Readonly<Record<Exclude<DocumentFormat, 'xml'>, (text: string) => Promise<ParsedDocument>>> = {
  async json(text) {
    const { run, measure } = createCpuBudget()
    if (await run(isTooDeep(text))) throw new RangeError('The document has too many levels.')
    return {
      value: measure(() => JSON.parse(text)),
      written: () => measure(() => JSON.parse(text, sourceOf)),
    }
  },
  async yaml(text) {
    // A stream of thousands of documents is parsed to its end before the parser refuses it.
    if (text.split(/^---/m, 3).length > 2) throw new RangeError('The document is a stream of several.')
    const { CORE_SCHEMA, FAILSAFE_SCHEMA, load, mergeTag } = await import('js-yaml')
    const limits = { maxAliases: aliasesMax, maxDepth: depthMax }
    return {
      value: load(text, { schema: CORE_SCHEMA.withTags(mergeTag), ...limits }),
      // There every scalar is its source text.
      written: () => load(text, { schema: FAILSAFE_SCHEMA.withTags(mergeTag), ...limits }),
    }
  },
  async toml(text) {
    const { parse: parseToml } = await import('smol-toml')
    const options = { integersAsBigInt: 'asNeeded', maxDepth: depthMax } as const
    return {
      value: plainToml(parseToml(text, options)),
      written: () => parseToml(quotedToml(text), options),
    }
  },
}

const aliasesMax = 100
const depthMax = 64

function textAt(location: Location, document: unknown): string | undefined {
  const value = location.reduce<unknown>((at, step) => Object(at)[step], document)
  return typeof value === 'string' ? value : undefined
}

/** Texts by value; numbers and booleans as they are written. */
function sourceOf(_name: string, value: unknown, context?: { readonly source?: string }) {
  return typeof value === 'string' ? value : (context?.source ?? value)
}

/** TOML's integers beyond 2^53 as numbers, which filters compare, and its dates as texts. */
function plainToml(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainToml)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainToml(member)]))
}

const tomlToken =
  /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[=,[\]{}\n]|[^\s"'#=,[\]{}]+(?: \d\d:[^\s#,\]}]+)?/g

/** TOML with its numbers, booleans and dates in quotes. */
function quotedToml(text: string): string {
  const open: string[] = []
  let isValue = false
  return text.replace(tomlToken, (token) => {
    const first = token[0] ?? ''
    if (first === '#' || (first === '\n' && open.length > 0)) return token
    const isBare = !'"\'=,[]{}\n'.includes(first)
    const result = isBare && isValue ? `"${token}"` : token
    // The brackets around the name of a table hold no value.
    if (token === '[') open.push(isValue || open.at(-1) === 'list' ? 'list' : 'name')
    else if (token === '{') open.push('table')
    else if (token === ']' || token === '}') open.pop()
    isValue = token === '=' || ((token === '[' || token === ',') && open.at(-1) === 'list')
    return result
  })
}
