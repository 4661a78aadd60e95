import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import { runtimes } from '../support/test-size.ts'
import { run } from './runtimes.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const directory = temporaryDirectory()

describe('a transaction', () => {
  test.each(runtimes)('that fails leaves nothing behind on %s, even with a full disk', async (runtime) => {
    expect(JSON.parse(await run(runtime, 'test/store/children/transactions.ts'))).toEqual({
      answers: ['thrown', 'UNIQUE constraint failed: things.name', 'database or disk is full', 'stored'],
      left: [],
    })
  })

  test('that throws leaves nothing behind', async () => {
    const store = openStore({ path: join(directory, 'throws.db') })
    function* work() {
      yield* store.usage.set(1, 'demo', 1)
      throw new Error('no')
    }
    await expect(store.transaction(work)).rejects.toThrow('no')
    await expect(store.transaction(work, { durable: true })).rejects.toThrow('no')
    expect(await store.usage.used(1, 'demo')).toBe(0)
    await store.close()
  })

  test('is whole to everything else: nothing is done between its steps', async () => {
    const store = openStore({ path: join(directory, 'whole.db') })
    async function addOne() {
      await store.transaction(function* () {
        const used = yield* store.usage.used(1, 'demo')
        yield* store.usage.set(1, 'demo', used + 1)
      })
    }
    await Promise.all(Array.from({ length: 50 }, addOne))
    expect(await store.usage.used(1, 'demo')).toBe(50)
    await store.close()
  })
})
