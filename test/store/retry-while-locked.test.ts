import { expect, test } from 'bun:test'
import { setAwakeTimeout } from '../../src/lib/clock.ts'
import { retryWhileLocked, StoreError } from '../../src/store/store-error.ts'

const locked = new StoreError('locked', 'Another process holds the write lock.')

test('a lock is waited for no longer than the patience, however long each try takes', async () => {
  let tries = 0
  const outcome = retryWhileLocked(async () => {
    tries += 1
    await awake(600)
    throw locked
  }, 1_000)
  await expect(outcome).rejects.toBe(locked)
  expect(tries).toBeLessThanOrEqual(2)
})

/** A busy machine may stop this process meanwhile, which is no time that anybody waited. */
function awake(timeMs: number): Promise<void> {
  return new Promise((resolve) => setAwakeTimeout(resolve, timeMs))
}

test('a process that stood still for longer than the patience tries again', async () => {
  let tries = 0
  const outcome = retryWhileLocked(() => {
    tries += 1
    if (tries === 3) return 'stored'
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
    throw locked
  }, 500)
  expect(await outcome).toBe('stored')
})

test('a lock is looked at by one of those who wait for it, and all go on when it is free', async () => {
  let tries = 0
  let isFree = false
  function work() {
    tries += 1
    // The first try of each, and some more of the one who looks for all.
    if (tries === 320) isFree = true
    if (!isFree) throw new StoreError('locked', 'Another process holds the lock of the file.')
    return 'stored'
  }
  const outcomes = await Promise.all(Array.from({ length: 300 }, () => retryWhileLocked(work)))
  expect(new Set(outcomes)).toEqual(new Set(['stored']))
  expect(tries).toBeLessThanOrEqual(320 + 300)
})

test('whoever waits goes on without the one who looks for all, if that one is held up', async () => {
  const problem = new StoreError('locked', 'Another process holds the lock of another file.')
  const never = Promise.withResolvers<string>()
  let heldUpTries = 0
  const heldUp = retryWhileLocked(() => {
    heldUpTries += 1
    if (heldUpTries === 1) throw problem
    return never.promise
  })
  let tries = 0
  const other = retryWhileLocked(() => {
    tries += 1
    if (tries === 1) throw problem
    return 'stored'
  }, 500)
  expect(await other).toBe('stored')
  never.resolve('late')
  expect(await heldUp).toBe('late')
})
