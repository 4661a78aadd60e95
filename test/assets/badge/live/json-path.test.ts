import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { findByPath, PathTooCostly, pathMistake } from '../../../../src/assets/badge/live/json-path.ts'

interface ComplianceCase {
  readonly name: string
  readonly selector: string
  readonly document?: unknown
  readonly result?: unknown
  readonly results?: readonly unknown[]
  readonly invalid_selector?: boolean
}

/** The official compliance tests of RFC 9535. */
const cases = JSON.parse(
  readFileSync(new URL('../../../fixtures/jsonpath/cts.json', import.meta.url), 'utf8'),
) as readonly ComplianceCase[]

test('passes the compliance tests of RFC 9535, so a query means here what it means elsewhere', () => {
  const failed = cases.filter((one) => {
    if (pathMistake(one.selector) !== undefined) return one.invalid_selector !== true
    if (one.invalid_selector === true) return true
    const found = findByPath(one.selector, one.document)
    return !(one.results ?? [one.result]).some((right) => isDeepStrictEqual(found, right))
  })
  expect(failed.map(({ name }) => name)).toEqual([])
  expect(cases.length).toBeGreaterThan(600)
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
  ["$.list[?match($.s,'(a*)*b')]", long],
  ['$.list[?search($.s,$.p)]', long],
  ['$.list[?length($.s)==3]', long],
  [`$[?match(@.name,'${'(a|b|n)*'.repeat(20)}x')]`, objects],
  ["$[?match(@.name,'(((a{99}){99}){99}){99}')]", objects],
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
  expect(findByPath("$[?match(@.name,'n14(00|01)')].v.x", objects)).toEqual([1400, 1401])
})
