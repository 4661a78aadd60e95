import { expect, test } from 'bun:test'
import { goessnerPath } from '../../../src/routes/compatibility/badge-parameters.ts'

test.each([
  ['version', '$.version'],
  ['.version', '$.version'],
  ['package.version', '$.package.version'],
  ['[0].name', '$[0].name'],
  ['$.dist-tags.latest', "$['dist-tags'].latest"],
  ["$.it's", "$['it\\'s']"],
  ['$..dist-tags', "$..['dist-tags']"],
  ['$.@type', "$['@type']"],
  ['$.list.0.name', "$.list[0,'0'].name"],
  ['$.[0]', '$[0]'],
  ['$[name]', "$['name']"],
  ["$.list[?(@.name==='a]')].x", "$.list[?(@.name=='a]')].x"],
  ['$.list[?(@.a[0]!==1)]', '$.list[?(@.a[0]!=1)]'],
])('%s of the older notation is %s', (older, path) => {
  expect(goessnerPath(older)).toBe(path)
})

test.each([
  '$',
  '$.a.b',
  '$..*',
  '$.*',
  "$['a'].b",
  '$[-1:]',
  '$.a[0,1]',
  '$..[?@.a==1]',
  '$.größe',
  '$[?@.a == "]"]',
])('%s stays as it is', (path) => {
  expect(goessnerPath(path)).toBe(path)
})

test.each(['', '$[', '$]', '$.', '$[?"', '$...', '[['])(
  '%s, which is nothing, stays without a meaning',
  (path) => {
    expect(() => goessnerPath(path)).not.toThrow()
  },
)
