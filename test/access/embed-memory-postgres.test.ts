import { describe, expect, test } from 'bun:test'
import type { PostgresStore } from '../../src/store/postgres/open-postgres.ts'
import { movableClock } from '../store/clock.ts'
import { closeAll, openServer } from '../store/postgres/databases.ts'
import { eventually } from '../support/eventually.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { createAccess, embedded, outcome, signed } from './temporary-access.ts'

const dayMs = 86_400_000
const clock = movableClock(Date.now())

describe.skipIf(!hasPostgres)('an embed URL that was counted today, over PostgreSQL', () => {
  const postgres = started(startPostgres)

  test('is granted from memory by each server, until any of them changes the key', async () => {
    const url = postgres.makeDatabase('changes')
    const stores = [await openServer(url), await openServer(url)] as const
    const [here, there] = [house(stores[0]), house(stores[1])]
    const pair = await here.keys.create()
    const image = await embedded(pair, { title: 'Hello' }, Date.now() + dayMs)
    for (const { view, check } of [here, there]) {
      await check()
      expect(await view(image)).toBe('key')
      await check()
      expect(await view(image)).toBe('key from memory')
    }
    expect(await here.used(`key:${pair.key.id}`)).toBe(1)

    await here.keys.revoke(pair.key.id)
    expect(await here.view(image)).toBe('invalid_key')
    await eventually(async () => (await there.view(image)) === 'invalid_key')

    await here.keys.restore(pair.key.id)
    expect(await here.view(image)).toBe('key')
    await eventually(async () => (await there.view(image)) === 'key')
    await there.rotateLeaked(pair.key.id)
    expect(await there.view(image)).toBe('invalid_signature')
    await eventually(async () => (await here.view(image)) === 'invalid_signature')
    await closeAll(stores)
  })

  test('is asked for again when its count was given back', async () => {
    const url = postgres.makeDatabase('released')
    const stores = [await openServer(url), await openServer(url)] as const
    const [here, there] = [house(stores[0]), house(stores[1])]
    const pair = await here.keys.create()
    const image = await embedded(pair, { title: 'Hello' }, Date.now() + dayMs)
    const first = await here.call(image)
    if (!first.granted) throw new Error('The call was not granted.')
    expect(await there.view(image)).toBe('key')
    await first.refund()
    await there.check()
    expect([await there.used(`key:${pair.key.id}`), await there.view(image)]).toEqual([0, 'key'])
    expect(await there.used(`key:${pair.key.id}`)).toBe(1)
    await closeAll(stores)
  })

  test('is served while the database is away, alone, and all calls are when it is back', async () => {
    const store = await openServer(postgres.makeDatabase('away'))
    const { keys, view, used } = house(store)
    const pair = await keys.create({ dailyQuota: 10 })
    const image = await embedded(pair, { title: 'Hello' }, Date.now() + dayMs)
    expect(await view(image)).toBe('key')
    await postgres.crash()
    await eventually(async () => store.isAway())
    expect(await view(image)).toBe('key')
    expect(await view(await embedded(pair, { title: 'New' }, Date.now() + dayMs))).toBe('busy')
    expect(await view(await signed(pair, Date.now()))).toBe('busy')
    expect(await view('/api/og?demo=1')).toBe('busy')
    await postgres.start()
    await eventually(async () => (await view(await signed(pair, Date.now()))) === 'key')
    // From memory where the store has looked for changes again by now; counted once either way.
    expect(['key', 'key from memory']).toContain(await view(image))
    expect(await used(`key:${pair.key.id}`)).toBe(2)
    await closeAll([store])
  })
})

/** One server's access, which says of a call what became of it and whether the database was asked. */
function house(store: PostgresStore) {
  store.startServing()
  const state = { asked: 0 }
  const meter: PostgresStore['meter'] = {
    reserve(request) {
      state.asked += 1
      return store.meter.reserve(request)
    },
    release: store.meter.release,
  }
  const access = createAccess({ store, clock, meter })
  async function view(url: string) {
    const before = state.asked
    const answer = await access.call(url).then(outcome, () => 'busy')
    return answer === 'key' && state.asked === before ? 'key from memory' : answer
  }
  return { ...access, check: store.changes.check, view }
}
