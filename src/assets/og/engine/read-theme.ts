import { hash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import {
  COLLECTION_STYLE,
  CORE_SCHEMA,
  constructFromEvents,
  type DocumentEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  jsToAst,
  type Node,
  type PopEvent,
  parseEvents,
  present,
  SCALAR_STYLE,
  visit,
  YAMLException,
} from 'js-yaml'
import { type ThemeName, type ThemeSource, themeJson } from '../themes.ts'
import { type Fault, faultsOf, warningsOf } from './check-theme.ts'
import { type ThemeFile, themeSchema } from './theme-file.ts'

export interface ThemeMistake {
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** `layouts.wide.title.lines`; empty where the whole file is meant. */
  readonly field: string
  /** The end of a sentence that begins with the field. */
  readonly message: string
}

export type ReadTheme =
  | { readonly theme: ThemeSource; readonly warnings: readonly ThemeMistake[] }
  | { readonly mistakes: readonly ThemeMistake[] }

const themeBytesMax = 64 * 1024
const depthMax = 24
const mistakesMax = 100

/** Reads a theme file in YAML or JSON, with all of its mistakes. */
export function readTheme(text: string): ReadTheme {
  if (new TextEncoder().encode(text).length > themeBytesMax)
    return { mistakes: [{ line: 1, column: 1, field: '', message: 'The file is larger than 64 KiB.' }] }
  try {
    return readDocument(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line = 0, column = 0 } = error.mark ?? {}
    const message = `The file is no YAML: ${error.reason}.`
    return { mistakes: [{ line: line + 1, column: column + 1, field: '', message }] }
  }
}

/** Warnings of a theme file that was read, each with its place. */
export function themeWarnings(bytes: Uint8Array): readonly string[] {
  const read = readTheme(new TextDecoder().decode(bytes))
  return 'warnings' in read ? read.warnings.map(mistakeText) : []
}

export function mistakeText({ line, column, field, message }: ThemeMistake): string {
  return `line ${line}, column ${column}: ${`${field} ${message}`.trim().replace(/\.$/, '')}`
}

function readDocument(text: string): ReadTheme {
  const events = parseEvents(text, { maxDepth: depthMax })
  const { places, faults: marks } = placesIn(events, text)
  const value = constructFromEvents(events, { source: text, schema: CORE_SCHEMA, maxAliases: 0 })[0]
  function located(faults: readonly Fault[]): readonly ThemeMistake[] {
    return faults
      .map(({ path, message }) => ({ at: placeOf(places, path), field: path.join('.'), message }))
      .toSorted((one, other) => one.at - other.at)
      .slice(0, mistakesMax)
      .map(({ at, ...fault }) => {
        const before = text.slice(0, at).split('\n')
        return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, ...fault }
      })
  }
  const unread = [...marks, ...versionFaults(value)]
  if (unread.length > 0) return { mistakes: located(unread) }
  const wrong = schemaFaults(themeSchema, value)
  const file = wrong.length === 0 ? (value as ThemeFile) : withoutFaults(value as ThemeFile, wrong)
  const faults = [...wrong, ...faultsOf(file)]
  if (faults.length > 0) return { mistakes: located(faults) }
  const json = JSON.stringify(file)
  return { theme: { key: hash('sha256', json), json }, warnings: located(warningsOf(file)) }
}

/** The key of each member, and where its name or else its value begins. */
type Places = ReadonlyMap<string, number>

const quoted: ReadonlySet<number> = new Set([SCALAR_STYLE.SINGLE_QUOTED, SCALAR_STYLE.DOUBLE_QUOTED])

/** Walks the parser's events once. Anchors, aliases, tags and a second document are no part of the format. */
function placesIn(events: readonly Event[], text: string) {
  const places = new Map<string, number>()
  const faults: Fault[] = []
  let next = 0
  function isOpen(): boolean {
    return next < events.length && events[next]?.type !== EVENT_ID.POP
  }
  function read(path: Fault['path'], isName = false): void {
    const event = events[next++]
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return
    if (!places.has(keyOf(path))) places.set(keyOf(path), startOf(event))
    const isMarked = event.type === EVENT_ID.ALIAS || event.anchorStart >= 0 || event.tagStart >= 0
    if (isMarked && !isName)
      faults.push({ path, message: 'has an anchor, an alias or a tag, which theme files do not have' })
    if (event.type === EVENT_ID.SEQUENCE) for (let index = 0; isOpen(); index++) read([...path, index])
    if (event.type === EVENT_ID.MAPPING)
      while (isOpen()) {
        const key = events[next]
        // A name that is a text; any other kind the schema does not know.
        const own = [...path, key?.type === EVENT_ID.SCALAR ? getScalarValue(text, key) : '']
        read(own, true)
        read(own)
      }
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) next += 1
  }
  const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length
  while (next < events.length) read([])
  if (documents > 1) faults.push({ path: [], message: 'The file has several documents: one is allowed.' })
  return { places, faults }
}

function startOf(event: Exclude<Event, DocumentEvent | PopEvent>): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart - Number(quoted.has(event.style))
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start
}

function keyOf(path: readonly (string | number)[]): string {
  return path.join('\n')
}

/** The place of a member, or of the nearest one around it that the file has. */
function placeOf(places: Places, path: Fault['path']): number {
  for (let length = path.length; length >= 0; length--) {
    const at = places.get(keyOf(path.slice(0, length)))
    if (at !== undefined) return at
  }
  return 0
}

function versionFaults(value: unknown): readonly Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: [], message: 'The file must have members, the first of them mintmark: 1.' }]
  const version: unknown = Reflect.get(value, 'mintmark')
  if (version === 1) return []
  const needed = 'must be 1, the version of the format'
  if (version === undefined) return [{ path: [], message: `mintmark ${needed}.` }]
  const later = `is ${version}: this version of Mintmark reads theme files of version 1`
  return [{ path: ['mintmark'], message: typeof version === 'number' && version > 1 ? later : needed }]
}

function schemaFaults(schema: TSchema, value: unknown): readonly Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of Value.Errors(schema, value)) {
    if (faults.size >= 10 * mistakesMax) break
    for (const { path, schema: allowed, type, value: wrong } of nearest(error)) {
      // A missing member is a second fault of the kind that it would have.
      if (faults.has(path)) continue
      const isUnknown = type === ValueErrorType.ObjectAdditionalProperties
      const isMissing = type === ValueErrorType.ObjectRequiredProperty || wrong === undefined
      const message = isUnknown
        ? `is not known here: allowed are ${listed(Object.keys(allowed['properties'] ?? {}), 'and') || 'names of lower-case letters, digits and capitals within'}`
        : `${isMissing ? 'is required: it' : ''} must be ${described(allowed)}`.trim()
      faults.set(path, { path: pathOf(path), message })
    }
  }
  return [...faults.values()]
}

/** The file as if nobody had written its wrong members, so that the rest is checked too. */
function withoutFaults(file: ThemeFile, faults: readonly Fault[]): ThemeFile {
  const left = structuredClone(file)
  for (const { path } of faults) {
    const [member = '', inner = '', name = ''] = path
    const group: unknown = Reflect.get(left, member)
    if (member === 'colors' && path.length > 2) Reflect.set(Reflect.get(Object(group), inner), name, 'gray')
    else if (member === 'background' && path.length > 1) Reflect.set(Object(group), inner, { frame: [] })
    else if ((member === 'layouts' || member === 'colors') && path.length > 1)
      Reflect.deleteProperty(Object(group), inner)
    else Reflect.deleteProperty(left, member)
  }
  return left
}

function pathOf(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The errors within the one kind of a union that a value is of, if there is one. */
function nearest(error: ValueError): readonly ValueError[] {
  if (error.type !== ValueErrorType.Union) return [error]
  const ofKind = error.errors
    .map((errors) => [...errors])
    .filter(
      (errors) =>
        !errors.some(({ path, type }) => path === error.path && wrongKinds.test(ValueErrorType[type])),
    )
  const [only] = ofKind
  return ofKind.length === 1 && only ? only.flatMap(nearest) : [error]
}

const wrongKinds = /^(Array|Boolean|Integer|Literal|Null|Number|Object|String|Tuple)$/

/** The values that a schema allows, in words. */
function described({ anyOf, const: value, type, items, properties, ...schema }: TSchema): string {
  const { minimum, maximum, multipleOf, minItems, maxItems, maxLength, description } = schema
  if (anyOf !== undefined)
    return listed(anyOf.filter(({ type }: TSchema) => type !== 'null').map(described), 'or')
  if (value !== undefined) return String(value)
  switch (type) {
    case 'boolean':
      return 'true or false'
    case 'number':
    case 'integer':
      return `a ${type === 'integer' ? 'whole ' : ''}number from ${minimum} to ${maximum}${multipleOf ? ` in steps of ${multipleOf}` : ''}`
    case 'string':
      return maxLength === undefined ? 'a text' : `a text of at most ${maxLength} characters`
    case 'array':
      return Array.isArray(items)
        ? `a list of ${items.length}: ${description ?? items.map(described).join('; ')}`
        : `a list of ${minItems} to ${maxItems}, each ${described(items)}`
    default:
      return properties === undefined
        ? 'a group of members'
        : `a group of members: ${listed(Object.keys(properties), 'and')}`
  }
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

const flowWidthMax = 96

/** One of our themes as YAML, with short members in one line each. */
export async function themeFileText(name: ThemeName, origin?: string): Promise<string> {
  const documents = jsToAst(await themeJson(name), CORE_SCHEMA)
  visit(documents, (node, { depth }) => {
    if (node.kind !== 'mapping' && node.kind !== 'sequence') return
    if (depth > 1 && flowWidth(node) <= flowWidthMax) node.style = COLLECTION_STYLE.FLOW
  })
  const schema = '/theme.schema.json'
  const head =
    origin === undefined
      ? `The JSON Schema of theme files is at ${schema} of every Mintmark server.`
      : `yaml-language-server: $schema=${origin}${schema}`
  return `# ${head}\n${present(documents, { schema: CORE_SCHEMA, lineWidth: -1, flowBracketPadding: true })}`
}

/** The characters of a node in one line; more than fit where a group holds others that hold groups. */
function flowWidth(node: Node, levels = 2): number {
  if (node.kind === 'scalar') return node.value.length + 2
  if (node.kind === 'alias' || levels === 0) return flowWidthMax + 1
  return node.kind === 'sequence'
    ? node.items.reduce((sum, item) => sum + flowWidth(item, levels - 1) + 2, 2)
    : node.items.reduce((sum, { key, value }) => sum + flowWidth(key) + flowWidth(value, levels - 1) + 2, 4)
}
