import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { StoreError } from '../../src/store/store-error.ts'

const locked = new StoreError('locked', 'Another process holds the write lock.')

test('a lock is waited for no longer than the patience, however long each try takes', async () => {
  let tries = 0
  const outcome = retryWhileLocked(async () => {
    tries += 1
    await sleep(600)
    throw locked
  }, 1_000)
  await expect(outcome).rejects.toBe(locked)
  expect(tries).toBeLessThanOrEqual(2)
})

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
