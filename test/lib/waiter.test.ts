import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  awakeNowMs,
  dayMs,
  isStillAhead,
  isWithin,
  secondsUntil,
  setAwakeTimeout,
} from '../../src/lib/clock.ts'
import { CallWaiter, createCoalescer, WaitEnded, type Waiter, waitInQueue } from '../../src/lib/waiter.ts'

const nobodyLeaves = new AbortController().signal

function caller(leftMs?: number) {
  const connection = new AbortController()
  return { hangUp: () => connection.abort(), waiter: new CallWaiter(() => connection.signal, leftMs) }
}

/** A queue in which somebody waits until the turn is given. */
function openQueue() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { turn: resolve, wait: (waiter: Waiter) => waitInQueue({ name: '', waiter }, promise) }
}

function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => value ?? 'turn',
    (error) => (error instanceof WaitEnded ? (error.isGone ? 'gone' : 'late') : error),
  )
}

test('all queues that a call passes have one bound together, and work is no wait', async () => {
  const waiter = new CallWaiter(() => nobodyLeaves, 300)
  await Bun.sleep(400)
  const outcomes: unknown[] = []
  for (let queues = 0; queues < 300 && outcomes.at(-1) !== 'late'; queues++) {
    const queue = openQueue()
    const wait = outcome(queue.wait(waiter))
    await Bun.sleep(5)
    queue.turn()
    outcomes.push(await wait)
  }
  expect([outcomes.at(-1), await outcome(openQueue().wait(waiter))]).toEqual(['late', 'late'])
})

test('a caller who goes leaves the queue, but not once work for it has begun', async () => {
  const waiting = caller()
  const served = caller()
  const [one, other] = [openQueue(), openQueue()]
  const left = outcome(one.wait(waiting.waiter))
  served.waiter.begin()
  const stays = outcome(other.wait(served.waiter))
  waiting.hangUp()
  served.hangUp()
  expect([await left, waiting.waiter.isGone(), served.waiter.isGone()]).toEqual(['gone', true, false])
  other.turn()
  expect([await stays, await outcome(openQueue().wait(waiting.waiter))]).toEqual(['turn', 'gone'])
})

test('a turn that fails after its waiter has left is nobody’s error', async () => {
  const { waiter, hangUp } = caller()
  hangUp()
  const turn = Promise.withResolvers<void>()
  const left = outcome(waitInQueue({ name: '', waiter }, turn.promise))
  turn.reject(new Error('The queue was closed.'))
  // An error that nobody handles would fail this test.
  await Bun.sleep(0)
  expect(await left).toBe('gone')
})

test('of those who share work one leaves alone; when all have left, it leaves its queue, and the next starts anew', async () => {
  const coalesce = createCoalescer<string>()
  const [one, other, third] = [caller(), caller(), caller()]
  const queues: ReturnType<typeof openQueue>[] = []
  async function work(waiter: Waiter) {
    const queue = openQueue()
    queues.push(queue)
    await queue.wait(waiter)
    return `made by ${queues.length}`
  }
  const first = outcome(coalesce('a', work, one.waiter))
  const second = outcome(coalesce('a', work, other.waiter))
  one.hangUp()
  expect(await first).toBe('gone')
  other.hangUp()
  const anew = coalesce('a', work, third.waiter)
  expect(await second).toBe('gone')
  queues[1]?.turn()
  expect([await anew, queues.length]).toEqual(['made by 2', 2])
})

test('work that somebody without a bound waits for goes on when all others have left', async () => {
  const coalesce = createCoalescer<string>()
  const queue = openQueue()
  async function work(waiter: Waiter) {
    await queue.wait(waiter)
    return 'made'
  }
  const hasty = caller(50)
  const late = outcome(coalesce('a', work, hasty.waiter))
  const patient = coalesce('a', work)
  expect(await late).toBe('late')
  queue.turn()
  expect(await patient).toBe('made')
})

test('whoever joins work that has begun is waited for, too', async () => {
  const coalesce = createCoalescer<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  function work(waiter: Waiter) {
    waiter.begin()
    return promise
  }
  const [one, other] = [caller(), caller()]
  const both = [one, other].map(({ waiter }) => coalesce('a', work, waiter))
  other.hangUp()
  expect(other.waiter.isGone()).toBe(false)
  resolve('made')
  expect(await Promise.all(both)).toEqual(['made', 'made'])
})

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

const nowMs = Date.parse('2026-03-01T12:00:00Z')
const later = nowMs + 3 * dayMs

test('what was noted under a clock that was set back since holds no longer than it would have', () => {
  expect([isWithin(nowMs - 1, nowMs, 1000), isWithin(nowMs + 1, nowMs, 1000)]).toEqual([true, true])
  expect([isWithin(later, nowMs, 1000), isStillAhead(nowMs + 1000, nowMs, 1000)]).toEqual([false, true])
  expect([isStillAhead(nowMs, nowMs, 1000), isStillAhead(later, nowMs, 1000)]).toEqual([false, false])
})

test('nobody is told to wait for longer than the wait is, and everybody for a second', () => {
  expect([secondsUntil(nowMs + 1500, nowMs, dayMs), secondsUntil(nowMs - 1500, nowMs, dayMs)]).toEqual([2, 1])
  expect(secondsUntil(later, nowMs, dayMs)).toBe(86_400)
})
