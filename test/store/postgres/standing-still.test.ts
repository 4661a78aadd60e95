import { describe, expect, test } from 'bun:test'
import { patienceMs } from '../../../src/store/postgres/connection-pool.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { closeAll, openServer } from './databases.ts'

/** Blocks the process, as loading code or a busy machine can. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patienceMs + 500)
}

describe.skipIf(!hasPostgres)('a server that stood still for longer than it waits for the database', () => {
  const postgres = started(startPostgres)

  const moments = {
    'before it had sent the calls': () => undefined,
    'while the database answered them': () => new Promise((resolve) => setImmediate(resolve)),
  }
  for (const [index, [moment, comes]] of Object.entries(moments).entries()) {
    test(`refuses no call: ${moment}`, async () => {
      const name = `still_${index}`
      const server = await openServer(postgres.makeDatabase(name))
      for (let round = 0; round < 3; round += 1) {
        const calls = Array.from({ length: 20 }, () => server.meter.reserve({ bucket: 'a', limit: null }))
        await comes()
        standStill()
        expect(await Promise.allSettled(calls)).toEqual(
          calls.map(() => ({ status: 'fulfilled', value: expect.objectContaining({ granted: true }) })),
        )
      }
      await closeAll([server])
      expect(postgres.run(`select sum(used) from usage_days where bucket = 'a'`, name).trim()).toBe('60')
    })
  }

  test('refuses no transaction, whether it waits for an answer or for a connection', async () => {
    const server = await openServer(postgres.makeDatabase('still_pool'))
    /** More than there are connections. */
    const names = Array.from({ length: 30 }, (_, index) => `name ${index}`)
    const stored = () => Promise.all(names.map((name) => server.keyValues.set(name, 'x')))
    await stored()
    for (let round = 0; round < 3; round += 1) {
      const storing = stored()
      await new Promise((resolve) => setImmediate(resolve))
      standStill()
      await storing
    }
    await closeAll([server])
  })
})
