import { expect, spyOn, test } from 'bun:test'
import { readLinkedData } from '../../../src/assets/preview/linked-data.ts'
import { isTooDeep, jsonDepthMax } from '../../../src/lib/json-depth.ts'

function finish<T>(steps: Generator<void, T>): { readonly value: T; readonly steps: number } {
  for (let count = 1; ; count += 1) {
    const step = steps.next()
    if (step.done) return { value: step.value, steps: count }
  }
}

function nested(depth: number, [open, close] = ['[', ']'] as const) {
  return open.repeat(depth) + close.repeat(depth)
}

const deep = {
  arrays: nested(200_000),
  'arrays that never close': '['.repeat(262_144),
  objects: '{"a":'.repeat(50_000),
  'arrays after a string of closing ones': `["${']'.repeat(1000)}\\"]]]",${'['.repeat(1000)}`,
  'arrays after closing ones': `${']'.repeat(64)}${'['.repeat(129)}`,
  'arrays in what has to be repaired': `/* ] */ [${'['.repeat(1000)},${']'.repeat(1001)}`,
  'more than 256 KiB': JSON.stringify({ headline: 'a'.repeat(400_000) }),
  'many values': `[${'1,'.repeat(200_000)}1]`,
}

for (const [name, block] of Object.entries(deep)) {
  test(`JSON.parse, which nothing can interrupt, is not given ${name}`, () => {
    const parse = spyOn(JSON, 'parse')
    try {
      expect(finish(readLinkedData([block])).value.nodes).toEqual([])
      expect(parse.mock.calls.map(([text]) => text.length).filter((length) => length > 0)).toEqual([])
    } finally {
      parse.mockRestore()
    }
  })
}

test('as deep as allowed is not too deep, and brackets in texts are none', () => {
  expect(finish(isTooDeep(nested(jsonDepthMax))).value).toBe(false)
  expect(finish(isTooDeep(nested(jsonDepthMax + 1))).value).toBe(true)
  expect(finish(isTooDeep(`["\\"${'['.repeat(1000)}\\\\"]`)).value).toBe(false)
})

test('a long text is looked through in many steps', () => {
  expect(finish(isTooDeep('"'.padEnd(262_144, '\\'))).steps).toBeGreaterThan(5)
  expect(finish(isTooDeep('1'.repeat(262_144))).steps).toBeGreaterThan(15)
})

test('linked data of 200 KB is read', () => {
  const block = JSON.stringify({ '@type': 'Article', headline: 'Long', articleBody: 'a'.repeat(200_000) })
  expect(finish(readLinkedData([block])).value.primary?.['headline']).toBe('Long')
})
