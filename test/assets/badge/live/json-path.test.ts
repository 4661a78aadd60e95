import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { joined as foundFacts } from '../../../../src/assets/badge/live/find-value.ts'
import {
  findByPath as findNodes,
  PathTooCostly,
  pathMistake,
} from '../../../../src/assets/badge/live/json-path.ts'

interface ComplianceCase {
  readonly name: string
  readonly selector: string
  readonly document?: unknown
  readonly result?: unknown
  readonly results?: readonly unknown[]
  readonly invalid_selector?: boolean
}

function findByPath(path: string, document: unknown): readonly unknown[] {
  return findNodes(path, document).map(({ value }) => value)
}

/** The official compliance tests of RFC 9535. */
const cases = JSON.parse(
  readFileSync(new URL('../../../fixtures/jsonpath/cts.json', import.meta.url), 'utf8'),
) as readonly ComplianceCase[]

test('passes the compliance tests of RFC 9535 but for patterns, so a query means here what it means elsewhere', () => {
  const plain = cases.filter(({ selector }) => pathMistake(selector)?.isPattern !== true)
  const failed = plain.filter((one) => {
    if (/regex from the document|arg is a function expression/.test(one.name)) return false
    if (pathMistake(one.selector) !== undefined) return one.invalid_selector !== true
    if (one.invalid_selector === true) return true
    const found = findByPath(one.selector, one.document)
    return !(one.results ?? [one.result]).some((right) => isDeepStrictEqual(found, right))
  })
  expect(failed.map(({ name }) => name)).toEqual([])
  expect(plain.length).toBeGreaterThan(600)
})

const flat = Array.from({ length: 32_000 }, () => 0)
const deep: unknown = JSON.parse('['.repeat(98) + ']'.repeat(98))
const deeper: unknown = JSON.parse('['.repeat(2_000) + ']'.repeat(2_000))
const objects = Array.from({ length: 1_500 }, (_, index) => ({ name: `n${index}`, v: { x: index } }))
const long = { s: 'a'.repeat(60_000), p: '(a*)*b', list: flat.slice(0, 500) }
const patterns = Object.fromEntries(
  Array.from({ length: 2_500 }, (_, index) => [`k${index}`, `a${index}(a|b)*`]),
)
const twins = { a: flat.slice(0, 15_000), b: flat.slice(0, 15_000) }

test.each<readonly [string, unknown]>([
  ['$..*', flat],
  ['$..*', deeper],
  ['$..*..*..*..*..*', deep],
  ['$..[?@..[?@..*]]', objects],
  [`$${'..*'.repeat(80)}`, objects],
  [`$[${'*,'.repeat(120)}*]`, flat],
  ['$.list[?length($.s)==3]', long],
  ['$[*][?$.a==$.b]', twins],
  ['$[?value($..x)==@.name]', objects],
  [`$..[?@${'.v'.repeat(200)}]`, objects],
  ['$..[?match(@,@)]', patterns],
])('ends %s before it holds up others', (path, document) => {
  expect(() => findByPath(path, document)).toThrow(PathTooCostly)
})

test('finds a member by a filter in a document of the largest size', () => {
  expect(findByPath("$[?@.name=='n1400'].v.x", objects)).toEqual([1400])
  expect(findByPath('$..name', objects)).toHaveLength(1_500)
})

test('match and search compare plain text', () => {
  expect(findByPath("$[?match(@.name,'n1400')].v.x", objects)).toEqual([1400])
  expect(findByPath("$[?search(@.name,'n149')].v.x", objects)).toEqual([
    149,
    ...Array.from({ length: 10 }, (_, at) => 1490 + at),
  ])
  const pairs = [
    { a: 'x', b: 'x' },
    { a: 'xy', b: 'x.' },
    { a: 1, b: 1 },
  ]
  expect(findByPath('$[?match(@.a, @.b)].a', pairs)).toEqual(['x'])
})

test.each(Array.from('.*+?()[]{}|\\^$'))(
  'a pattern with %s is a mistake of the query, wherever it is',
  (sign) => {
    const text = `'a${sign === '\\' ? '\\\\' : sign}b'`
    for (const query of [
      `$[?match(@.a,${text})]`,
      `$..[?!search(@, ${text})]`,
      `$[?@.b[?search(@,${text})]]`,
      `$[?@.a=='x' && (match(@.b, ${text}) || @.c)]`,
    ])
      expect(pathMistake(query)).toMatchObject({ isPattern: true })
    expect(pathMistake(`$[?@.a==${text}]`)).toBeUndefined()
  },
)

test('reads no more of what a query finds than a badge shows: one long text can be found thousands of times', () => {
  const text = 'é  '.repeat(20_000)
  const found = foundFacts(Array.from({ length: 1_000_000 }, () => text))
  expect(found).toEqual({ value: expect.stringMatching(/^é é é.{195}$/u) })
})

test('shows nothing where one of the values is no scalar, wherever it stands', () => {
  const texts = Array.from({ length: 1_000 }, () => 'a')
  const failure = { failure: 'no_value' } as const
  for (const wrong of [null, [], {}, '']) expect(foundFacts([...texts, wrong])).toEqual(failure)
  expect(foundFacts(['a', '\u0000', 'b'])).toEqual(failure)
  expect(foundFacts([])).toEqual(failure)
  expect(foundFacts(['a', 1, true])).toEqual({ value: 'a, 1, true' })
})
