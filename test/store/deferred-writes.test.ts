import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setAwakeTimeout } from '../../src/lib/clock.ts'
import { createDeferredWrites } from '../../src/store/deferred-writes.ts'
import { openStore } from '../../src/store/open.ts'
import { retryWhileLocked, StoreError } from '../../src/store/store-error.ts'
import { eventually } from '../support/eventually.ts'
import { holdLock } from '../support/hold-lock.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const directory = temporaryDirectory()

function open(name: string) {
  const path = join(directory, name)
  const errors: unknown[] = []
  const store = openStore({ path, onError: (error) => errors.push(error) })
  store.startServing()
  return { path, store, errors }
}

test('a deferred write is stored when it is waited for', async () => {
  const { store } = open('plain.db')
  await store.deferred.add(() => store.usage.set(1, 'a', 5))
  expect(await store.usage.used(1, 'a')).toBe(5)
  await store.close()
})

test('a write that comes while others are stored keeps no later one waiting', async () => {
  const { store } = open('during.db')
  const began = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const deferred = createDeferredWrites(async (work, options) => {
    began.resolve()
    await goOn.promise
    return store.transaction(work, options)
  })
  const first = deferred.add(() => store.usage.set(1, 'a', 1))
  await began.promise
  const second = deferred.add(() => store.usage.set(1, 'a', 2))
  // Its own turn comes while the first one is being stored.
  await nextTurn()
  goOn.resolve()
  await Promise.all([first, second])
  await deferred.add(() => store.usage.set(1, 'a', 3))
  expect(await store.usage.used(1, 'a')).toBe(3)
  await store.close()
})

test('a write is stored at whatever moment of another it comes, and a flush waits for it', async () => {
  const { store } = open('moments.db')
  for (let moment = 0; moment < 12; moment += 1) {
    await store.deferred.add(() => store.usage.set(moment, 'a', 1))
    for (let step = 0; step < moment; step += 1) await undefined
    const second = store.deferred.add(() => store.usage.set(moment, 'b', 2))
    expect(await store.deferred.flush()).toBe(0)
    expect(await store.usage.used(moment, 'b')).toBe(2)
    await second
    await nextTurn()
    await store.deferred.add(() => store.usage.set(moment, 'c', 3))
    expect(await store.usage.used(moment, 'c')).toBe(3)
  }
  await store.close()
})

test('under a lock nobody waits for it, and it is stored in its order when the lock is released', async () => {
  const { path, store } = open('locked.db')
  const lock = await holdLock(path)
  await Promise.all([1, 2, 3].map((used) => store.deferred.add(() => store.usage.set(1, 'a', used))))
  expect(await store.usage.used(1, 'a')).toBe(0)
  expect(await store.deferred.flush()).toBe(3)
  await lock.release()
  await eventually(() => store.usage.used(1, 'a'))
  expect(await store.usage.used(1, 'a')).toBe(3)
  await store.close()
})

test('what waits is stored before the store is closed', async () => {
  const { path, store } = open('closed.db')
  const lock = await holdLock(path)
  await store.deferred.add(() => store.usage.set(1, 'a', 7))
  await lock.release()
  await store.close()
  const again = openStore({ path })
  expect(await again.usage.used(1, 'a')).toBe(7)
  await again.close()
})

test('a write that can never succeed is reported, and delays none of the others', async () => {
  const { store, errors } = open('wrong.db')
  await Promise.all([
    store.deferred.add(() => store.usage.set(1, 'a', 1)),
    store.deferred.add(() => {
      throw new Error('wrong')
    }),
    store.deferred.add(() => store.usage.set(1, 'b', 1)),
  ])
  expect([await store.usage.used(1, 'a'), await store.usage.used(1, 'b')]).toEqual([1, 1])
  expect(errors.map(String)).toEqual(['Error: wrong'])
  await store.close()
})

test('a store that failed and works again needs no new write to go on', async () => {
  const { store } = open('again.db')
  let isFull = true
  const deferred = createDeferredWrites(async (work, options) => {
    if (isFull) await store.transaction(() => failAsFull())
    return store.transaction(work, options)
  })
  await deferred.add(() => store.usage.set(1, 'a', 1))
  expect(await store.usage.used(1, 'a')).toBe(0)
  isFull = false
  await eventually(() => store.usage.used(1, 'a'))
  expect(await store.usage.used(1, 'a')).toBe(1)
  await store.close()
})

/** Throws the file system's error for a full disk. */
function failAsFull(): never {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}

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
