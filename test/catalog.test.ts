import { expect, test } from 'bun:test'
import type { Asset } from '../src/assets/kit/asset.ts'
import { assets } from '../src/catalog.ts'
import { decodeQuery } from '../src/http/query.ts'

const rows: readonly (readonly [string, Asset])[] = assets.map((asset) => [asset.id, asset])

test.each(rows)('the example of %s is valid', (_, { query, example }) => {
  expect(decodeQuery(query, new URLSearchParams(example).toString())).toMatchObject({
    value: expect.anything(),
  })
})

test.each(rows)('every parameter of %s says what it means', (_, { query }) => {
  for (const [name, field] of Object.entries(query.properties)) {
    expect([name, String(field.description).length > 5]).toEqual([name, true])
  }
})

test.each(rows)('the summary of %s may stand in a payment header', (_, { summary }) => {
  expect(summary).toMatch(/^[\x20-\x7e]{1,200}$/)
})

test('no two assets answer the same path and kind', () => {
  const places = rows.flatMap(([, { path, kind, variants = [] }]) => [
    `${path} ${kind ?? ''}`,
    ...variants.map((other) => `${other.path} ${kind ?? ''}`),
  ])
  expect(new Set(places).size).toBe(places.length)
})
