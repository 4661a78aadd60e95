import { expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import type { Steps } from '../../src/store/operation.ts'

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
