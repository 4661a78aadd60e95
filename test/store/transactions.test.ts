import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import { run } from './runtimes.ts'
import { temporaryDirectory } from './temporary-directory.ts'

// Processes start slowly on a busy machine.
setDefaultTimeout(60_000)

const directory = temporaryDirectory()

describe('a transaction', () => {
  test.each(['bun', 'deno'] as const)(
    'that fails leaves nothing behind on %s, even with a full disk',
    async (runtime) => {
      expect(JSON.parse(await run(runtime, 'test/store/children/transactions.ts'))).toEqual({
        answers: ['thrown', 'UNIQUE constraint failed: things.name', 'database or disk is full', 'stored'],
        left: [],
      })
    },
  )

  test('that throws leaves nothing behind', () => {
    const store = openStore({ path: join(directory, 'throws.db') })
    function work() {
      store.usage.set(1, 'demo', 1)
      throw new Error('no')
    }
    expect(() => store.transaction(work)).toThrow('no')
    expect(() => store.transaction(work, { durable: true })).toThrow('no')
    expect(store.usage.used(1, 'demo')).toBe(0)
    store.close()
  })

  test('within another one belongs to it', () => {
    const store = openStore({ path: join(directory, 'nested.db') })
    function outer() {
      return store.transaction(() => {
        store.transaction(() => store.usage.set(1, 'demo', 1))
        throw new Error('no')
      })
    }
    expect(outer).toThrow('no')
    expect(store.usage.used(1, 'demo')).toBe(0)
    store.close()
  })
})
