import { afterAll, describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { openServer } from './databases.ts'

describe.skipIf(!hasPostgres)('a primary with a synchronous standby', () => {
  let standby: TestPostgres | undefined
  const primary = started(() => startPostgres(['synchronous_commit=remote_apply']))
  afterAll(async () => {
    await standby?.close()
  })

  test('may be killed under load: the promoted standby is found, and no counted call is lost', async () => {
    const url = primary.makeDatabase('failover')
    standby = await primary.startStandby()
    // The standby comes first: it is passed over for as long as it is read-only.
    const server = await openServer(
      url.replace(/@[^/]+/, `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}`),
    )
    let granted = 0
    let refused = 0
    let isOver = false
    async function call(): Promise<void> {
      for (let after = 0; after < 20; after += isOver ? 1 : 0) {
        try {
          await server.meter.reserve({ bucket: 'key', limit: null, endpoint: 'og', auth: 'key' })
          granted += 1
        } catch {
          refused += 1
          await sleep(20)
        }
      }
    }
    await server.keyValues.set('stored', 'before')
    const callers = Array.from({ length: 32 }, call)
    while (granted < 500) await sleep(5)
    await primary.crash()
    standby.run('select pg_promote()')
    while (server.isAway()) await sleep(20)
    isOver = true
    await Promise.all(callers)
    await server.transaction(function* () {
      yield* server.keyValues.set('stored', `${yield* server.keyValues.get('stored')} and after`)
    })
    await server.close()
    console.log(`${granted} granted, ${refused} refused`)
    expect(Number(standby.run(`select used from usage_days where bucket = 'key'`, 'failover'))).toBe(granted)
    expect(standby.run(`select value from facts where name = 'stored'`, 'failover')).toBe('before and after')
  })
})
