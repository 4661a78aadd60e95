import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../../src/store/postgres/connection.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { openServer, openSession } from './databases.ts'

describe.skipIf(!hasPostgres)('deferred writes', () => {
  let store: PostgresStore
  let other: Connection
  const postgres = started(startPostgres)
  beforeAll(async () => {
    const url = postgres.makeDatabase('deferred')
    store = await openServer(url)
    other = await openSession(url)
  })
  afterAll(async () => {
    other?.destroy('the test is over')
    await store?.close()
  })

  test('are stored though others came while an earlier one waited for a lock of another server', async () => {
    const locks = ['payer 0x1']
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', locks)
    const first = store.deferred.add(() => store.usage.set(1, 'a', 1), { locks })
    await sleep(20)
    const second = store.deferred.add(() => store.usage.set(1, 'b', 2), { locks })
    await sleep(20)
    await other.query('commit')
    await Promise.all([first, second])
    await store.deferred.add(() => store.usage.set(1, 'c', 3), { locks })
    const used = ['a', 'b', 'c'].map((bucket) => store.usage.used(1, bucket))
    expect(await Promise.all(used)).toEqual([1, 2, 3])
  })
})
