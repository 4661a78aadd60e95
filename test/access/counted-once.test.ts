import { describe, expect, test } from 'bun:test'
import type { AuthorizationRequest } from '../../src/access/authorization.ts'
import type { IssuedKey } from '../../src/access/keys.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { createAddressPruning } from '../../src/store/prune.ts'
import { signAddress } from '../support/sign-address.ts'
import { embedded, noonMs, openAccess, outcome, requestOf } from './temporary-access.ts'

const day = 86_400_000

async function start(dailyQuota = 100) {
  const access = await openAccess()
  const pair = await access.keys.create({ dailyQuota })
  return {
    ...access,
    pair,
    view: async (url: string, method = 'GET', known: Known = {}) =>
      outcome(await view(access, url, method, known)),
    usedToday: () => access.used(`key:${pair.key.id}`),
    rotate: async () => {
      const renewed = await access.keys.rotate(pair.key.id, 0)
      if (renewed === undefined) throw new Error('The key is gone.')
      return renewed
    },
  }
}

type Access = Awaited<ReturnType<typeof openAccess>>
type Known = Partial<AuthorizationRequest>

/** Asks as the server does, which reads the address in a path itself. */
async function view({ authorizer }: Access, url: string, method: string, known: Known = {}) {
  const [, keyId, sig] = /^\/i\/og\/([^/]+)\/[^/]+\/(\w+)\.svg$/.exec(url) ?? []
  const request = { ...requestOf(url, method), ...known }
  if (keyId === undefined || sig === undefined) return authorizer.authorize(request)
  const signature = { keyId, sig, kind: 'path', unixSeconds: undefined } as const
  return authorizer.authorize({ ...request, credentials: { demo: false, signature } })
}

async function addressOf({ key, secret }: IssuedKey, title = 'Hello'): Promise<string> {
  return signAddress({ key: key.id, secret }, { title })
}

describe.each([
  ['in the path', addressOf],
  ['in the query', (pair: IssuedKey, title = 'Hello') => embedded(pair, { title }, noonMs + 3000 * day)],
])('a signed address %s', (_, sign) => {
  test('counts on the day on which it is first answered, and never again', async () => {
    const { pair, view, usedToday, clock } = await start()
    const url = await sign(pair)
    const first = await Promise.all(Array.from({ length: 20 }, () => view(url)))
    expect([new Set(first), await usedToday()]).toEqual([new Set(['key']), 1])
    for (let later = 0; later < 40; later += 1) {
      clock.nowMs += day
      expect([await view(url), await usedToday()]).toEqual(['key', 0])
    }
  })

  test('of what is a mistake now is refused as that and counts nothing, unless it was answered before', async () => {
    const { pair, view, usedToday, clock, rotate } = await start()
    const mistaken = { unlessAnswered: [{ parameter: 'title', message: 'has too many fonts' }] }
    const crawler = { ...mistaken, headers: new Headers({ 'user-agent': 'Slackbot-LinkExpanding 1.0' }) }
    const [seen, unseen] = [await sign(pair, 'Seen'), await sign(pair, 'Unseen')]
    expect(await view(seen)).toBe('key')
    for (const later of [0, 1, 40]) {
      clock.nowMs += later * day
      expect([await view(seen, 'GET', mistaken), await view(seen, 'HEAD', mistaken)]).toEqual(['key', 'key'])
      const refused = [mistaken, crawler].flatMap((known) =>
        ['GET', 'HEAD'].map((method) => view(unseen, method, known)),
      )
      expect(new Set(await Promise.all([...refused, ...refused]))).toEqual(new Set(['invalid_query']))
      expect(await usedToday()).toBe(later === 0 ? 1 : 0)
    }
    expect(await view(unseen.replace(/.(?=\.svg$|$)/, 'z'), 'GET', mistaken)).toBe('invalid_query')
    await rotate()
    const expected = ['key', 'invalid_query']
    expect([await view(seen, 'GET', mistaken), await view(unseen, 'GET', mistaken)]).toEqual(expected)
    expect(await view(await sign(await rotate(), 'Seen'), 'GET', mistaken)).toBe('key')
  })

  test('is free where the quota of a later day is used up', async () => {
    const { pair, view, clock } = await start(1)
    const url = await sign(pair)
    expect(await view(url)).toBe('key')
    clock.nowMs += day
    expect(await view(await sign(pair, 'Other'))).toBe('key')
    expect([await view(await sign(pair, 'Third')), await view(url)]).toEqual(['quota_exhausted', 'key'])
  })

  test('is the same address when the next secret has signed it', async () => {
    const { pair, view, usedToday, rotate } = await start()
    expect(await view(await sign(pair))).toBe('key')
    const renewed = await rotate()
    expect(await sign(renewed)).not.toBe(await sign(pair))
    expect([await view(await sign(renewed)), await usedToday()]).toEqual(['key', 1])
  })

  test('outlives any number of rotations if it was answered, and none if it was not', async () => {
    const { pair, view, usedToday, rotate, clock } = await start()
    const [seen, unseen] = [await sign(pair, 'Seen'), await sign(pair, 'Unseen')]
    await view(seen)
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await rotate()
      clock.nowMs += day
      expect([await view(seen), await view(seen, 'HEAD')]).toEqual(['key', 'key'])
      expect(await view(unseen)).toBe('invalid_signature')
    }
    expect(await usedToday()).toBe(0)
    expect(await view(seen.replace('Seen', 'Sown').replace('U2Vlbg', 'U293bg'))).toBe('invalid_signature')
  })

  test('ends at once where its secret has leaked, and the others of its key do not', async () => {
    const { pair, view, rotate, rotateLeaked } = await start()
    const first = await sign(pair, 'First')
    await view(first)
    const second = await rotate()
    const url = await sign(second, 'Second')
    await view(url)
    await rotateLeaked(pair.key.id)
    expect([await view(first), await view(url)]).toEqual(['key', 'invalid_signature'])
    expect(await view(await sign(second, 'New'))).toBe('invalid_signature')
  })

  test('counted before its secret leaked is answered on', async () => {
    const { pair, view, clock, rotateLeaked } = await start()
    const early = await sign(pair, 'Early')
    await view(early)
    clock.nowMs += 2 * day
    const late = await sign(pair, 'Late')
    await view(late)
    await rotateLeaked(pair.key.id, utcDay(clock.nowMs) - 1)
    expect([await view(early), await view(late)]).toEqual(['key', 'invalid_signature'])
  })

  test('whose secret has leaked is free under the next one, and outlives that', async () => {
    const { pair, view, usedToday, rotate, rotateLeaked, keys, secrets } = await start()
    await view(await sign(pair))
    await rotateLeaked(pair.key.id)
    const key = await keys.find(pair.key.id)
    if (key === undefined) throw new Error('The key is gone.')
    const renewed = await sign({ key, secret: secrets.secretOf(key.id, key.version) })
    expect([await view(renewed), await usedToday()]).toEqual(['key', 1])
    await rotate()
    expect([await view(renewed), await view(await sign(pair))]).toEqual(['key', 'invalid_signature'])
  })

  test('counts nothing by HEAD, and is not answered by it', async () => {
    const { pair, view, usedToday, rotate } = await start()
    const url = await sign(pair)
    expect([await view(url, 'HEAD'), await usedToday()]).toEqual(['key', 0])
    await rotate()
    expect(await view(url)).toBe('invalid_signature')
  })

  test('whose first drawing failed is not counted, and not answered', async () => {
    const { pair, authorizer, store, view: viewAgain, usedToday, rotate } = await start()
    const url = await sign(pair)
    const grant = await view({ authorizer } as Access, url, 'GET')
    if (!grant.granted) throw new Error('The call was not granted.')
    await grant.refund()
    expect([await usedToday(), await store.signedAddresses.count(pair.key.id)]).toEqual([0, 0])
    await rotate()
    expect(await viewAgain(url)).toBe('invalid_signature')
  })

  test('is forgotten when nobody has asked for it in 400 days', async () => {
    const { pair, view, usedToday, store, clock } = await start()
    const [kept, forgotten] = [await sign(pair, 'Kept'), await sign(pair, 'Forgotten')]
    for (const url of [kept, forgotten]) await view(url)
    clock.nowMs += 31 * day
    await view(kept)
    clock.nowMs += 370 * day
    await createAddressPruning()(store.signedAddresses, utcDay(clock.nowMs))
    expect(await store.signedAddresses.count(pair.key.id)).toBe(1)
    await view(kept)
    expect(await usedToday()).toBe(0)
    await view(forgotten)
    expect(await usedToday()).toBe(1)
  })

  test('is kept by a copy that is confirmed, as by a view', async () => {
    const { pair, view, store, clock } = await start()
    const url = await sign(pair)
    await view(url)
    clock.nowMs += 31 * day
    expect(await view(url, 'GET', { isRevalidation: true })).toBe('key')
    await store.deferred.flush()
    clock.nowMs += 380 * day
    await createAddressPruning()(store.signedAddresses, utcDay(clock.nowMs))
    expect(await store.signedAddresses.count(pair.key.id)).toBe(1)
  })
})

test('an address that was counted under its old name is not counted again, and is named anew', async () => {
  const { pair, view, usedToday, store, clock, rotate } = await start()
  const url = await embedded(pair, { title: 'Old' }, noonMs + 300 * day)
  const sig = /sig=(\w{32})/.exec(url)?.[1] ?? ''
  await store.meter.reserve({
    bucket: `key:${pair.key.id}`,
    limit: null,
    expectedRevision: { keyId: pair.key.id, revision: 1 },
    address: { keyId: pair.key.id, digest: sig, version: 1 },
  })
  clock.nowMs += day
  expect([await view(url), await usedToday()]).toEqual(['key', 0])
  expect(await store.signedAddresses.count(pair.key.id)).toBe(1)
  await rotate()
  await rotate()
  expect(await view(url)).toBe('key')
})

test('a key keeps as many addresses as it may, and the longest unseen go first', async () => {
  const { pair, store } = await start()
  for (let address = 0; address < 3_500; address += 1)
    void store.meter.reserve({
      bucket: `key:${pair.key.id}`,
      limit: null,
      expectedRevision: { keyId: pair.key.id, revision: 1 },
      address: { keyId: pair.key.id, digest: address.toString(16).padStart(32, '0'), version: 1 },
    })
  await store.meter.reserve({ bucket: 'last', limit: null })
  await createAddressPruning(1_000)(store.signedAddresses, utcDay(noonMs))
  expect(await store.signedAddresses.count(pair.key.id)).toBe(1_500)
})
