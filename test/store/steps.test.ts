import { expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inTurn } from '../../src/lib/cooperative-scheduler.ts'
import { openStore } from '../../src/store/open.ts'
import type { Steps } from '../../src/store/database.ts'

test('awaiting the steps of a transaction, which would do nothing, is a mistake that the type check finds', async () => {
  const store = openStore({ path: ':memory:' })
  function* add(): Steps<number> {
    yield* store.keyValues.set('a', '1')
    return 1
  }
  // @ts-expect-error: the check of types fails here if this were allowed
  await add()
  // @ts-expect-error: steps of a table as well
  await store.loginOrigins.add('address', '::1', 0, 1)
  expect(await store.keyValues.get('a')).toBeUndefined()
  expect(await store.loginOrigins.has('address', '::1')).toBe(false)
  expect(await store.transaction(add)).toBe(1)
  expect(await store.keyValues.get('a')).toBe('1')
  await store.close()
})

test('statements and transactions of many at once wait for a later turn when this one was long', async () => {
  const store = openStore({ path: ':memory:' })
  await store.keyValues.set('a', '1')
  await nextTurn()
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const done: unknown[] = []
  function* read(): Steps<string | undefined> {
    return yield* store.keyValues.get('a')
  }
  try {
    await inTurn(() => {
      nowMs += 3
    })
    const all = [
      store.keyValues.get('a').then((value) => done.push(value)),
      store.transaction(read).then((value) => done.push(value)),
    ]
    for (let step = 0; step < 20; step += 1) await undefined
    expect(done).toEqual([])
    await Promise.all(all)
    expect(done).toEqual(['1', '1'])
  } finally {
    clock.mockRestore()
    await store.close()
  }
})
