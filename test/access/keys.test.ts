import { describe, expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readKeyUsage } from '../../src/access/key-quota.ts'
import { forever } from '../../src/access/keys.ts'
import { checkMasterKey, createSecrets, loadMasterKey, parseMasterKey } from '../../src/access/secrets.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { run } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { everythingIn, openTestStore } from '../support/test-store.ts'
import { embedded, noonMs, openAccess, outcome, requestOf, signed } from './temporary-access.ts'

const directory = temporaryDirectory()
const day = 86_400_000

describe('a new key', () => {
  test('has an id that can be read aloud and a secret of 64 hex digits', async () => {
    const { keys, store } = await openAccess()
    const pairs = await Promise.all(Array.from({ length: 200 }, () => keys.create()))
    for (const { key, secret } of pairs) {
      expect(key.id).toMatch(/^mk_[23456789abcdefghjkmnpqrstuvwxyz]{16}$/)
      expect(secret).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(new Set(pairs.map(({ key }) => key.id)).size).toBe(200)
    expect([new Set(pairs.map(({ secret }) => secret)).size, await store.keys.issued()]).toEqual([200, 200])
  })

  test('works at once', async () => {
    const { keys, call } = await openAccess()
    expect(outcome(await call(await signed(await keys.create(), noonMs)))).toBe('key')
  })
})

test('a key without limit has its quota again when that time is over', async () => {
  const { keys, store, clock, call } = await openAccess()
  const pair = await keys.create()
  await store.keys.update(pair.key.id, { unlimitedUntilMs: noonMs + 60_000 })
  async function outcomesOf(titles: readonly string[]) {
    const urls = titles.map((title) => signed(pair, clock.now(), `/api/og?title=${title}`))
    return await Promise.all(urls.map(async (url) => outcome(await call(await url))))
  }
  expect(await outcomesOf(['a', 'b', 'c', 'd'])).toEqual(['key', 'key', 'key', 'key'])
  clock.nowMs += 60_000
  expect(await outcomesOf(['e'])).toEqual(['quota_exhausted'])
})

describe('secrets', () => {
  test('are not in the database', async () => {
    const path = join(directory, 'secrets.db')
    const access = await openAccess({ path })
    const pair = await access.keys.create()
    await access.call(await signed(pair, noonMs))
    const url = await embedded(pair)
    await access.call(url)
    const file = await everythingIn(path)
    expect([file.includes(pair.key.id), file.includes(pair.secret)]).toEqual([true, false])
    expect(file.includes(Buffer.from(pair.secret, 'hex'))).toBe(false)
    expect(file.includes(new URL(url).searchParams.get('sig') ?? '?')).toBe(false)
  })

  test('follow from the master key, the id and the version, and from nothing else', () => {
    const masterKey = new Uint8Array(32).fill(1)
    const [a, b] = [createSecrets(masterKey), createSecrets(masterKey)]
    expect(a.secretOf('mk_a', 1)).toBe(b.secretOf('mk_a', 1))
    const others = [
      a.secretOf('mk_a', 2),
      a.secretOf('mk_b', 1),
      a.secretOf('mk_a 1', 1),
      createSecrets(new Uint8Array(32).fill(2)).secretOf('mk_a', 1),
    ]
    expect(new Set([...others, a.secretOf('mk_a', 1)]).size).toBe(5)
  })
})

describe('the master key', () => {
  const mine = createSecrets(new Uint8Array(32).fill(1))
  const other = createSecrets(new Uint8Array(32).fill(2))

  test('that issued the keys must be there at every start', async () => {
    const { store, keys } = await openAccess()
    await checkMasterKey(store, mine)
    await checkMasterKey(store, other)
    await keys.create()
    await checkMasterKey(store, other)
    await expect(checkMasterKey(store, mine)).rejects.toThrow('Restore master.key')
  })
})

describe('rotation', () => {
  test('gives a new secret, and lets the one before sign until the overlap ends', async () => {
    const { keys, call, clock } = await openAccess()
    const old = await keys.create({ dailyQuota: 100 })
    const url = await embedded(old)
    await call(url)
    const renewed = await keys.rotate(old.key.id, day)
    if (renewed === undefined) throw new Error('The key is gone.')
    expect(renewed.secret).not.toBe(old.secret)
    expect([outcome(await call(url)), outcome(await call(await embedded(renewed)))]).toEqual(['key', 'key'])
    const unseen = await embedded(old, { title: 'Nobody has asked for it' })
    clock.nowMs += day
    expect([outcome(await call(unseen)), outcome(await call(url))]).toEqual(['invalid_signature', 'key'])
    expect(outcome(await call(await embedded(renewed)))).toBe('key')
  })

  test('without overlap ends the secret before at once, and a second one ends the first', async () => {
    const { keys, call } = await openAccess()
    const first = await keys.create({ dailyQuota: 100 })
    await keys.rotate(first.key.id, 0)
    expect(outcome(await call(await signed(first, noonMs)))).toBe('invalid_signature')
    const second = await keys.create({ dailyQuota: 100 })
    await keys.rotate(second.key.id)
    await keys.rotate(second.key.id)
    expect(outcome(await call(await signed(second, noonMs)))).toBe('invalid_signature')
  })
})

describe('a change', () => {
  test('made by another process holds from the next call on', async () => {
    const path = join(directory, 'other.db')
    const [here, there] = await Promise.all([openAccess({ path }), openAccess({ path })])
    const pair = await here.keys.create({ dailyQuota: 100 })
    const url = await signed(pair, noonMs)
    expect(outcome(await here.call(url))).toBe('key')
    await there.keys.revoke(pair.key.id)
    expect(outcome(await here.call(url))).toBe('invalid_key')
    await there.keys.restore(pair.key.id)
    expect(outcome(await here.call(url))).toBe('key')
    await there.keys.change(pair.key.id, { dailyQuota: 1 })
    expect(outcome(await here.call(url))).toBe('quota_exhausted')
    await there.keys.upgrade(pair.key.id, forever)
    expect(outcome(await here.call(url))).toBe('key')
    await there.keys.rotate(pair.key.id, 0)
    expect(outcome(await here.call(url))).toBe('invalid_signature')
  })

  test('of a key that does not exist does nothing', async () => {
    const { keys, store } = await openAccess()
    expect(await store.keys.find('mk_nobody')).toBeUndefined()
    expect([
      await keys.revoke('mk_nobody'),
      await keys.rotate('mk_nobody'),
      await keys.upgrade('mk_nobody', forever),
    ]).toEqual([undefined, undefined, undefined])
    expect(await store.keys.issued()).toBe(0)
  })
})

describe('an upgrade', () => {
  test('removes the quota until it ends', async () => {
    const { keys, call, clock } = await openAccess()
    const pair = await keys.create({ dailyQuota: 1 })
    await keys.upgrade(pair.key.id, noonMs + day)
    for (let index = 0; index < 5; index += 1) {
      expect(await call(await signed(pair, noonMs))).toMatchObject({ granted: true, quota: { limit: null } })
    }
    clock.nowMs += day
    const later = await signed(pair, clock.nowMs)
    expect([outcome(await call(later)), outcome(await call(later))]).toEqual(['key', 'quota_exhausted'])
  })
})

describe('the list of keys', () => {
  test('comes newest first, page by page, each key once', async () => {
    const { keys, clock, store } = await openAccess()
    const made: string[] = []
    for (let index = 0; index < 25; index += 1) {
      if (index % 2 === 0) clock.nowMs += 1
      made.push((await keys.create({ name: `key ${index}` })).key.id)
    }
    const listed = []
    for (let page = await store.keyList.newest('any', 10); page.length > 0; ) {
      listed.push(...page)
      page = await store.keyList.newest('any', 10, page.at(-1)?.id)
    }
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(made))
    expect(listed).toHaveLength(25)
    expect(listed.map((key) => key.createdAtMs)).toEqual(
      listed.map((key) => key.createdAtMs).sort((a, b) => b - a),
    )
  })

  test('is searched by parts of id and name, and takes no pattern', async () => {
    const { keys, store } = await openAccess()
    await keys.create({ name: 'Blog of Ada' })
    const { key } = await keys.create({ name: '100% of it' })
    expect(await store.keyList.search('ada', 10)).toHaveLength(1)
    expect((await store.keyList.search('00%', 10)).map(({ id }) => id)).toEqual([key.id])
    expect(await store.keyList.search('B%A', 10)).toHaveLength(0)
    expect(await store.keyList.search('B__g', 10)).toHaveLength(0)
    expect(await store.keyList.search(key.id.slice(5), 10)).toHaveLength(1)
    expect(await store.keyList.search("'; drop table keys", 10)).toHaveLength(0)
  })
})

describe('the usage of a key', () => {
  test('tells what is left today and what the last seven days were', async () => {
    const { keys, call, clock, store } = await openAccess()
    const pair = await keys.create()
    const usageOf = (key: KeyRow) => readKeyUsage(store.usage, key, 3, clock.nowMs)
    await call(await signed(pair, clock.nowMs))
    clock.nowMs += 2 * day
    const url = await signed(pair, clock.nowMs)
    await Promise.all([call(url), call(url)])
    expect(await usageOf(pair.key)).toEqual({
      key: pair.key.id,
      plan: 'free',
      day: '2026-03-03',
      used: 2,
      limit: 3,
      remaining: 1,
      resetsAtMs: Date.parse('2026-03-04T00:00:00Z'),
      lastDays: [
        ['2026-02-25', 0],
        ['2026-02-26', 0],
        ['2026-02-27', 0],
        ['2026-02-28', 0],
        ['2026-03-01', 1],
        ['2026-03-02', 0],
        ['2026-03-03', 2],
      ].map(([date, used]) => ({ day: date, used })),
    } as never)
    const upgraded = (await keys.upgrade(pair.key.id, forever)) ?? pair.key
    const unlimited = { plan: 'unlimited', limit: null, remaining: null, used: 2 }
    expect(await usageOf(upgraded)).toMatchObject(unlimited)
  })
})

test('keys survive the end of the process', async () => {
  const path = join(directory, 'kept.db')
  const access = await openAccess({ path })
  const { key } = await access.keys.create({ name: 'kept' })
  await access.store.close()
  const store = await openTestStore({ path })
  expect(await store.keys.find(key.id)).toEqual(key)
  await store.close()
})

const endMs = noonMs + 7 * day

async function start(path = ':memory:') {
  const access = await openAccess({ path })
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

test('a master key is made once, for this user only, and nothing else is left behind', () => {
  const own = join(directory, 'own')
  const key = loadMasterKey(own)
  expect(key).toHaveLength(32)
  expect(loadMasterKey(own)).toEqual(key)
  expect(statSync(join(own, 'master.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(own)).toEqual(['master.key'])
  expect(loadMasterKey(join(directory, 'other'))).not.toEqual(key)
})

test('processes that start together end up with the same master key', async () => {
  const shared = join(directory, 'shared')
  const all = ['bun', 'bun', 'bun', 'bun', 'deno'] as const
  const keys = await Promise.all(
    all.map((runtime) => run(runtime, 'test/access/children/master-key.ts', shared)),
  )
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{64}\n$/)
  expect(readdirSync(shared)).toEqual(['master.key'])
})

test('a damaged master key stops the start instead of being replaced', () => {
  writeFileSync(join(directory, 'master.key'), 'abc')
  expect(() => loadMasterKey(directory)).toThrow('64 hex digits')
})

test('a given master key is 64 hex digits', () => {
  expect(parseMasterKey(` ${'aB'.repeat(32)}\n`)).toEqual(new Uint8Array(32).fill(0xab))
  for (const text of ['', 'ab', 'g'.repeat(64), 'a'.repeat(65)]) expect(parseMasterKey(text)).toBeUndefined()
})
