import { expect, test } from 'bun:test'
import { cacheControlOf } from '../../src/http/cache-control.ts'

const call = { cacheSeconds: 86_400, staleSeconds: 604_800, credentials: {} } as Parameters<
  typeof cacheControlOf
>[0]

test('the time that drawing took is no time in which an answer may be fresh', () => {
  const right = { mode: 'key', secondsLeft: 100.5 } as const
  const startMs = performance.now() - 30_000
  expect(Number(/max-age=(\d+)/.exec(cacheControlOf(call, right, { startMs }))?.[1])).toBeLessThanOrEqual(69)
  const lateMs = performance.now() - 200_000
  expect(cacheControlOf(call, right, { startMs: lateMs })).toBe('public, max-age=0')
})
