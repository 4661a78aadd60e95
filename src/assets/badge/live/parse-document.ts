import { createCpuBudget } from '../../../lib/cooperative-scheduler.ts'
import { isTooDeep } from '../../../lib/json-depth.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'

export type DocumentFormat = 'json' | 'yaml' | 'toml'

/** Which document, and how it is read. */
export interface DocumentName {
  readonly url: string
  readonly format: DocumentFormat
}

/**
 * The value of a document: objects, lists, texts, numbers, booleans and null. Dates are texts. The format is the caller's
 * word, because sites name it wrongly. Rejects with FetchFailure `invalid_document`, or `too_complex` for more parts than can
 * be parsed in one turn of the event loop.
 */
export async function parseDocument(format: DocumentFormat, text: string): Promise<unknown> {
  if (format !== 'json' && partsOf(text) > partsMax) throw new FetchFailure('too_complex')
  try {
    return await parsers[format](text)
  } catch {
    throw new FetchFailure('invalid_document')
  }
}

const parsers: Readonly<Record<DocumentFormat, (text: string) => unknown>> = {
  json(text) {
    if (isDeep(text)) throw new RangeError('The document has too many levels.')
    return JSON.parse(text)
  },
  async yaml(text) {
    // A stream of thousands of documents is parsed to its end before the parser refuses it.
    if (text.split(/^---/m, 3).length > 2) throw new RangeError('The document is a stream of several.')
    const { CORE_SCHEMA, load } = await import('js-yaml')
    return measure(() => load(text, { schema: CORE_SCHEMA, maxAliases: aliasesMax, maxDepth: depthMax }))
  },
  async toml(text) {
    const { parse } = await import('smol-toml')
    return measure(() => withoutDates(parse(text, { integersAsBigInt: 'asNeeded', maxDepth: depthMax })))
  },
}

/** Counts the work against this turn of the event loop, so that a query waits for the next. */
const { measure } = createCpuBudget()

/** The parsers of YAML and TOML take up to 5 µs for each part until they are compiled. */
const partsMax = 4_000

/** Lines, names and members, by the characters that end or begin them. */
function partsOf(text: string): number {
  return text.match(/[\n,:=.[{]/g)?.length ?? 0
}

const aliasesMax = 100
const depthMax = 64

function isDeep(text: string): boolean {
  const steps = isTooDeep(text)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** TOML's dates and integers beyond 2^53 as their texts. */
function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(withoutDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutDates(member)]))
}
