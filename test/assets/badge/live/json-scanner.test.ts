import { expect, test } from 'bun:test'
import { createJsonScanner, type Location } from '../../../../src/assets/badge/live/json-scanner.ts'
import { randomFrom } from '../../../support/random.ts'
import cases from './json-scanner.json' with { type: 'json' }

function scan(text: string, locations: readonly Location[], pieceChars = text.length) {
  const scanner = createJsonScanner(locations)
  for (let at = 0; at < text.length; at += pieceChars) scanner.write(text.slice(at, at + pieceChars))
  return scanner.end()
}

test('finds scalars by their source texts, however the document is cut into pieces', () => {
  const text = String.raw` {"a" : [1.0, {"b\u0022" : "x\n\u00e9"} , [ ] ], "c":{"d":true,"e":null},"f":-0.0e+1 ,"":"" } `
  const locations = cases.locations as readonly Location[]
  const expected = ['1.0', 'x\né', undefined, undefined, 'true', undefined, '-0.0e+1', '', undefined]
  for (let length = 1; length <= text.length; length += 1)
    expect(scan(text, locations, length)).toEqual(expected)
})

test('of members with one name the last counts, with all that is in it', () => {
  const locations: readonly Location[] = [['a'], ['a', 'b']]
  expect(scan('{"a":{"b":1},"a":2}', locations)).toEqual(['2', undefined])
  expect(scan('{"a":2,"a":{"b":1.0}}', locations)).toEqual([undefined, '1.0'])
  expect(scan('{"a":{"b":1},"a":{}}', locations)).toEqual([undefined, undefined])
})

test('accepts and finds what JSON.parse does, in documents that are broken at random', () => {
  const { below, pick } = randomFrom(7)
  function value(depth: number): string {
    const kind = below(depth > 3 ? 4 : 6)
    if (kind === 4) return `[${Array.from({ length: below(4) }, () => value(depth + 1)).join(',')}]`
    if (kind === 5)
      return `{${Array.from({ length: below(4) }, () => `${name()}:${value(depth + 1)}`).join(', ')}}`
    return pick(['1', '-1.50', '2E+3', 'true', 'false', 'null', '"x"', String.raw`"\"\u0041\\"`, '""', ' 0 '])
  }
  function name(): string {
    return pick(['"a"', '"b"', '"0"', String.raw`"\u0061"`, '"__proto__"'])
  }
  let valid = 0
  for (let run = 0; run < 3_000; run += 1) {
    const whole = value(0)
    const at = below(whole.length + 1)
    const text =
      run % 2 === 0
        ? whole
        : whole.slice(0, at) + pick(['', ...'",:[]{}\\0.-e \n\u0001tu']) + whole.slice(at + below(2))
    const parsed = attempt(() => JSON.parse(text))
    const locations = parsed === undefined ? [[]] : scalarsOf(parsed.value)
    const found = attempt(() => scan(text, locations, 1 + below(5)))
    expect([text, found !== undefined]).toEqual([text, parsed !== undefined])
    if (parsed === undefined || found === undefined) continue
    valid += 1
    for (const [index, location] of locations.entries()) {
      const wanted = location.reduce<unknown>((from, step) => Object(from)[step], parsed.value)
      const shown = found.value[index]
      expect(
        typeof wanted === 'string' || wanted === null ? (shown ?? null) : JSON.parse(shown ?? ''),
      ).toEqual(wanted)
    }
  }
  expect(valid).toBeGreaterThan(1_500)
})

function attempt<Result>(work: () => Result): { readonly value: Result } | undefined {
  try {
    return { value: work() }
  } catch {
    return undefined
  }
}

function scalarsOf(value: unknown, at: Location = []): readonly Location[] {
  if (typeof value !== 'object' || value === null) return [at]
  const isArray = Array.isArray(value)
  return Object.entries(value).flatMap(([name, member]) =>
    scalarsOf(member, [...at, isArray ? Number(name) : name]),
  )
}
