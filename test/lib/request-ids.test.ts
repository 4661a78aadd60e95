import { expect, test } from 'bun:test'
import { createRequestIds } from '../../src/lib/request-ids.ts'

test('ids are never the same, however many there are and whoever makes them', () => {
  const each = 4_000
  const sources = [createRequestIds(), createRequestIds()]
  const ids = sources.flatMap((nextId) => Array.from({ length: each }, nextId))
  expect(new Set(ids).size).toBe(2 * each)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
})
