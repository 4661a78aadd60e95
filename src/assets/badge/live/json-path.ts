import {
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathQuery,
  jsonpath,
} from 'json-p3'
import type { Location } from './json-scanner.ts'

const { selectors, expressions } = jsonpath
type Selector = jsonpath.selectors.JSONPathSelector
type Expression = jsonpath.expressions.FilterExpression

/** A path that takes more steps than it may, or XML with too many elements. */
export class PathTooCostly extends Error {}

/** Steps of one query: in a process that has run none before, a thousand take up to 1.4 ms of processor time. */
const usualStepsMax = 15_000
/** Deeper documents are refused where a query descends into them. */
const depthMax = 100

/** The mistake in a JSONPath query (RFC 9535), as the end of a sentence; undefined if there is none. With a pattern it is right elsewhere. */
export function pathMistake(path: string) {
  try {
    const parts = [...partsOf(new JSONPathEnvironment().compile(path))]
    const pattern = parts.map(patternOf).find((each) => each !== undefined && patternSigns.test(each))
    if (pattern === undefined) return undefined
    const message = `has a pattern in match() or search(), which compare plain text without ${signs}: ${pattern}`
    return { message, isPattern: true }
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error
    return { message: `is no JSONPath query of RFC 9535: ${error.message}`, isPattern: false }
  }
}

/** Several for each segment: in our reading of older paths a number is a name or an index. */
const plainLocationsMax = 8

/** The locations that a path of names and indexes alone means; undefined for any other query. */
export function plainLocations(path: string): readonly Location[] | undefined {
  let locations: readonly Location[] = [[]]
  for (const segment of new JSONPathEnvironment().compile(path).segments) {
    const steps = segment.selectors.map((selector) => {
      if (selector instanceof selectors.NameSelector) return selector.name
      return selector instanceof selectors.IndexSelector ? selector.index : -1
    })
    if (String(segment).startsWith('..') || steps.some((step) => typeof step === 'number' && step < 0))
      return undefined
    locations = locations.flatMap((location) => steps.map((step) => [...location, step]))
    if (locations.length > plainLocationsMax) return undefined
  }
  return locations
}

/** Finds values and their locations, in order. Every step is counted, because nothing can interrupt a foreign query. @throws {PathTooCostly} */
export function findByPath(
  path: string,
  document: unknown,
  stepsMax = usualStepsMax,
): readonly { readonly value: unknown; readonly location: Location }[] {
  let stepsLeft = stepsMax
  function spend(steps: number): void {
    stepsLeft -= steps
    if (stepsLeft < 0) throw new PathTooCostly('The query takes too many steps.')
  }
  const environment = createEnvironment()
  const query = environment.compile(path)
  for (const part of [...partsOf(query)])
    if ('resolve' in part) meterSelector(part, spend)
    else meterExpression(part, spend)
  try {
    return query.query(document as Parameters<JSONPathQuery['query']>[0]).nodes
  } catch (error) {
    // The depth of the document, or of the stack.
    if (error instanceof JSONPathError || error instanceof RangeError) throw new PathTooCostly(error.message)
    throw error
  }
}

const signs = '.*+?()[]{}|\\^$'
const patternSigns = /[.*+?()[\]{}|\\^$]/

/** Every selector and every expression of a query, those of the queries in its filters too. */
function* partsOf(node: object): Generator<Selector | Expression> {
  if (node instanceof selectors.JSONPathSelector || node instanceof expressions.FilterExpression) yield node
  for (const [name, member] of Object.entries(node))
    if (name !== 'environment' && typeof member === 'object' && member !== null) yield* partsOf(member)
}

/** The pattern that a part of a query names for `match` or `search`. Those of a document are known later. */
function patternOf(part: Selector | Expression): string | undefined {
  const { name, args } = part as Partial<jsonpath.expressions.FunctionExtension>
  const pattern = name === 'match' || name === 'search' ? args?.[1] : undefined
  return pattern !== undefined && 'value' in pattern ? String(pattern.value) : undefined
}

/** `match` and `search` compare plain text, because nothing can interrupt an engine of patterns. A pattern of a document finds nothing. */
function createEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: depthMax })
  for (const [name, isFound] of [
    ['match', (text: string, plain: string) => text === plain],
    ['search', (text: string, plain: string) => text.includes(plain)],
  ] as const)
    environment.functionRegister.set(name, {
      argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
      returnType: FunctionExpressionType.LogicalType,
      call: (text, plain) =>
        typeof text === 'string' &&
        typeof plain === 'string' &&
        !patternSigns.test(plain) &&
        isFound(text, plain),
    })
  return environment
}

type Spend = (steps: number) => void

/** Makes a selector count its visits and finds. */
function meterSelector(selector: Selector, spend: Spend): void {
  const resolve = selector.resolve.bind(selector)
  selector.resolve = (node) => {
    // Every node has its path from the root, which is copied for each of its children.
    const each = 1 + node.location.length / 8
    spend(each)
    const found = resolve(node)
    spend(each * found.length)
    return found
  }
}

/** Makes an expression count itself, and the size of what it finds, which is compared in full, or measured. */
function meterExpression(expression: Expression, spend: Spend): void {
  const evaluate = expression.evaluate.bind(expression)
  const query = expression instanceof expressions.FilterQuery ? expression.path : undefined
  // A segment makes a list even where the one before has found nothing.
  const each = 1 + (query?.segments.length ?? 0) / 4
  expression.evaluate = (context) => {
    spend(each)
    const found = evaluate(context)
    if (query !== undefined)
      for (const { value } of (found as jsonpath.JSONPathNodeList).nodes) spendSize(value, spend)
    return found
  }
}

function spendSize(value: unknown, spend: Spend): void {
  spend(typeof value === 'string' ? 1 + value.length / 64 : 1)
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) spendSize(member, spend)
}
