import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { forever } from '../../src/access/keys.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { createTemporaryAccess, embedded, noonMs, outcome, requestOf, signed } from './temporary-access.ts'

const directory = temporaryDirectory()
const day = 86_400_000
const endMs = noonMs + 7 * day

async function start(path = ':memory:') {
  const access = await createTemporaryAccess({ path })
  await access.store.changes.check()
  return { ...access, ask: async (url: string, method = 'GET') => outcome(await access.call(url, method)) }
}

describe('a key that was issued for some days', () => {
  test('signs until the last millisecond, and grants nothing from its end on', async () => {
    const { keys, clock, ask, call } = await start()
    const pair = await keys.create({ expiresAtMs: endMs })
    const lasting = await embedded(pair)
    expect([await ask(lasting), await ask(await signed(pair, noonMs))]).toEqual(['key', 'key'])
    clock.nowMs = endMs - 1
    const [view, now] = [await embedded(pair, { title: 'Last' }), await signed(pair, endMs)]
    expect([await ask(lasting), await ask(view), await ask(now)]).toEqual(['key', 'key', 'key'])
    clock.nowMs = endMs
    for (const url of [lasting, view, now, await embedded(pair, { title: 'New' })])
      for (const method of ['GET', 'HEAD']) expect(await ask(url, method)).toBe('invalid_key')
    const refused = await call(now)
    expect('refusal' in refused && refused.refusal.detail).toContain('has ended')
  })

  test('does not outlive its end in memory, neither as a cached key nor as a view that was counted', async () => {
    const { keys, clock, store, ask } = await start()
    const pair = await keys.create({ expiresAtMs: endMs })
    clock.nowMs = endMs - 1
    const url = await embedded(pair)
    await store.changes.check()
    expect([await ask(url), await ask(url)]).toEqual(['key', 'key'])
    // Nothing but the time has changed, and no look for changes would find anything.
    clock.nowMs = endMs
    expect(await ask(url)).toBe('invalid_key')
  })

  test('gives no quota away: what it is refused is not counted, and other credentials are tried', async () => {
    const { keys, clock, ask, used } = await start()
    const pair = await keys.create({ expiresAtMs: endMs })
    clock.nowMs = endMs
    const url = await signed(pair, endMs)
    expect([await ask(`${url}&demo=1`), await ask(url)]).toEqual(['demo', 'invalid_key'])
    expect([await used(`key:${pair.key.id}`), await used('demo')]).toEqual([0, 1])
  })

  test('ends for brands of chosen keys as well', async () => {
    const { keys, clock, authorizer } = await start()
    const pair = await keys.create({ expiresAtMs: endMs })
    clock.nowMs = endMs
    const request = { ...requestOf(await signed(pair, endMs)), onlyKeyIds: new Set([pair.key.id]) }
    expect(outcome(await authorizer.authorize(request))).toBe('invalid_key')
  })
})

describe('the end of a key', () => {
  test('is set, moved and removed by another process from the next call on, also after it has passed', async () => {
    const path = join(directory, 'moved-end.db')
    const [here, there] = [await start(path), await start(path)]
    const pair = await here.keys.create({ dailyQuota: 100 })
    const url = await signed(pair, noonMs)
    expect(await here.ask(url)).toBe('key')
    await there.keys.change(pair.key.id, { expiresAtMs: noonMs })
    expect(await here.ask(url)).toBe('invalid_key')
    await there.keys.change(pair.key.id, { expiresAtMs: noonMs + 1 })
    expect(await here.ask(url)).toBe('key')
    here.clock.nowMs += 1
    expect(await here.ask(url)).toBe('invalid_key')
    await there.keys.change(pair.key.id, { expiresAtMs: null })
    expect(await here.ask(url)).toBe('key')
  })

  test('is not moved by a rotation, an upgrade, or a revocation that is taken back', async () => {
    const { keys, clock, ask } = await start()
    const pair = await keys.create({ expiresAtMs: endMs })
    const { id } = pair.key
    clock.nowMs = endMs
    const renewed = await keys.rotate(id)
    await keys.upgrade(id, forever)
    await keys.revoke(id)
    const restored = await keys.restore(id)
    expect(restored).toMatchObject({ expiresAtMs: endMs, revokedAtMs: null })
    if (renewed === undefined) throw new Error('The key is gone.')
    expect(await ask(await signed(renewed, endMs))).toBe('invalid_key')
    await keys.change(id, { expiresAtMs: endMs + day })
    expect(await ask(await signed(renewed, endMs))).toBe('key')
  })
})
