import { expect, test } from 'bun:test'
import { createFreeDrawings } from '../../src/http/free-drawings.ts'

function granted(drawings: ReturnType<typeof createFreeDrawings>, client: string, calls: number): number {
  return Array.from({ length: calls }, () => drawings.acquire(client)).filter(Boolean).length
}

test('a client has sixty free drawings a minute, and all together have six hundred', () => {
  let nowMs = 0
  const drawings = createFreeDrawings({ now: () => nowMs })
  expect(granted(drawings, '192.0.2.1', 70)).toBe(60)
  nowMs = 59_999
  expect(granted(drawings, '192.0.2.1', 1)).toBe(0)
  const others = Array.from({ length: 20 }, (_, n) => granted(drawings, `198.51.100.${n}`, 40))
  expect(others.reduce((sum, each) => sum + each)).toBe(540)
  nowMs = 60_000
  expect(granted(drawings, '192.0.2.1', 70)).toBe(60)
})

test('networks of IPv6 have a share of their own', () => {
  const drawings = createFreeDrawings({ now: () => 0 })
  expect(granted(drawings, '2001:db8:0:1::1', 40)).toBe(40)
  expect(granted(drawings, '2001:db8:0:1::2', 40)).toBe(20)
  const nets = Array.from({ length: 8 }, (_, n) => granted(drawings, `2001:db8:0:${n + 2}::1`, 60))
  expect(nets.reduce((sum, each) => sum + each)).toBe(180)
})
