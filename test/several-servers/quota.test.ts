import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { throughPort } from '../store/postgres/databases.ts'
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { isQuick, sampleOf, sampleSize } from '../support/test-size.ts'
import { type Servers, startServers } from './support/servers.ts'
import { callSignedUntilDecided, issueKey } from './support/signed-calls.ts'

const serversMax = sampleSize(4, 2)
/** Calls that a key has left. Four times as many are sent at once. */
const left = 50

describe.skipIf(!hasPostgres)('servers that share PostgreSQL', () => {
  const postgres = started(startPostgres)

  describe('over connections of their own', () => {
    const database = 'quota'
    testExactness(database, () =>
      Promise.resolve({ url: postgres.makeDatabase(database), close: async () => {} }),
    )
  })

  describe.skipIf(isQuick || !hasPgbouncer)('through PgBouncer in transaction mode', () => {
    const database = 'quota_pooled'
    testExactness(database, async () => {
      const pgbouncer = await startPgbouncer(postgres.port)
      return { url: throughPort(postgres.makeDatabase(database), pgbouncer.port), close: pgbouncer.close }
    })
  })

  function testExactness(
    database: string,
    open: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  ): void {
    let servers: Servers
    let closeWay = async () => {}
    beforeAll(async () => {
      const { url, close } = await open()
      closeWay = close
      servers = await startServers({
        databaseUrls: Array.from({ length: serversMax }, () => url),
        env: { KEY_DAILY_QUOTA: String(left) },
      })
    })
    afterAll(async () => {
      await servers?.close()
      await closeWay()
    })

    test.each(sampleOf([2, 3, 4], 3))(
      '%d of them answer just the calls that a key has left',
      async (count) => {
        const key = await issueKey(servers.url(0))
        const statuses = await Promise.all(
          Array.from({ length: 4 * left }, (_, index) =>
            callSignedUntilDecided(servers.url(index % count), key),
          ),
        )
        expect(statuses.filter((status) => status === 200)).toHaveLength(left)
        expect(statuses.filter((status) => status === 402)).toHaveLength(3 * left)
        expect(postgres.run(`select used from usage_days where bucket = 'key:${key.key}'`, database)).toBe(
          `${left}`,
        )
        const usage = await (await fetch(`${servers.url(count - 1)}/api/usage?key=${key.key}`)).json()
        expect(usage).toMatchObject({ used: left, remaining: 0 })
      },
    )
  }
})
