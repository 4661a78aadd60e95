import { expect, test } from 'bun:test'
import { dayMs } from '../../src/lib/clock.ts'
import { readSharedAddress, watchSharedAddress } from '../../src/operator/shared-address.ts'
import { openStore } from '../../src/store/open.ts'

test('what servers saw of a proxy that is not named is in the log and in the database, until callers are told apart', async () => {
  const clock = { nowMs: 1_000 * dayMs, now: () => clock.nowMs }
  const store = openStore({ path: ':memory:', clock })
  const lines: string[] = []
  const log = { warn: (line: string) => void lines.push(line) }
  const watch = watchSharedAddress({ config: { TRUSTED_PROXIES: [] }, store, clock, log })
  const read = async () => {
    await store.deferred.flush()
    return readSharedAddress(store.keyValues, clock.now())
  }
  expect(await read()).toBeUndefined()
  for (let call = 0; call < 50; call += 1) watch.note('172.18.0.1')
  expect([await read(), lines]).toEqual(['172.18.0.1', [expect.stringContaining('TRUSTED_PROXIES')]])
  clock.nowMs += 2 * dayMs
  expect(await read()).toBeUndefined()
  watch.note('172.18.0.1')
  expect(await read()).toBe('172.18.0.1')
  watch.note('203.0.113.7')
  expect(await read()).toBeUndefined()
  await store.close()
})
