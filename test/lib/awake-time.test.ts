import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { awakeNowMs, setAwakeTimeout } from '../../src/lib/clock.ts'

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('time in which the process stood still is no time that somebody waited', () => {
  const startMs = awakeNowMs()
  standStill(600)
  expect(awakeNowMs() - startMs).toBeLessThanOrEqual(200)
  expect(awakeNowMs()).toBeGreaterThanOrEqual(startMs)
})

test('who waits hears an answer that came while the process stood still, before his time is over', async () => {
  const heard: string[] = []
  setAwakeTimeout(() => heard.push('too late'), 300)
  const answer = sleep(10)
    .then(() => sleep(0))
    .then(() => heard.push('the answer'))
  standStill(700)
  await answer
  while (heard.length < 2) await sleep(5)
  expect(heard).toEqual(['the answer', 'too late'])
})

test('a timeout that nothing holds up comes after its time, and one that was cleared never', async () => {
  let cleared = 0
  setAwakeTimeout(() => cleared++, 150).clear()
  const startMs = performance.now()
  await new Promise<void>((resolve) => setAwakeTimeout(resolve, 450))
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(449)
  await sleep(200)
  expect(cleared).toBe(0)
})
