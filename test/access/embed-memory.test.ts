import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Authorization } from '../../src/access/authorization.ts'
import { createCountedEmbeds } from '../../src/access/counted-embeds.ts'
import { type Meter, MeterUnavailable } from '../../src/store/meter.ts'
import { openStore } from '../../src/store/open.ts'
import { movableClock } from '../store/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { slowTest } from '../support/test-size.ts'
import { createAccess, embedded, noonMs, outcome, signed } from './temporary-access.ts'

const directory = temporaryDirectory()
const dayMs = 86_400_000

/** Access to a database whose meter is counted, and can be away. `ageMs` is the time since the last look for changes. */
async function open(path = ':memory:') {
  const clock = movableClock(noonMs)
  const store = openStore({ path, clock })
  const state = { asked: 0, isAway: false, ageMs: 0 }
  const meter: Meter = {
    reserve(request) {
      state.asked += 1
      if (state.isAway) return Promise.reject(new MeterUnavailable('The database is away.'))
      return store.meter.reserve(request)
    },
    release: store.meter.release,
  }
  const changes = { ...store.changes, ageMs: () => state.ageMs }
  const access = createAccess({ store, clock, meter, changes })
  await store.changes.check()
  /** The outcome of a call, and whether it was granted without the meter. */
  async function viewLater(url: string, method = 'GET') {
    const before = state.asked
    const answer = outcome(await access.call(url, method))
    return answer === 'key' && state.asked === before ? 'key from memory' : answer
  }
  /** Like `viewLater`, right after a look for changes by other servers. */
  async function view(url: string, method = 'GET') {
    await store.changes.check()
    return viewLater(url, method)
  }
  return { ...access, store, state, view, viewLater }
}

function grantedBy(authorization: Authorization) {
  if (!authorization.granted) throw new Error('The call was not granted.')
  return authorization
}

/** The parts of a grant that the caller sees. */
function seenBy(authorization: Authorization) {
  const { mode, keyId, quota } = grantedBy(authorization)
  return { mode, keyId, limit: quota?.limit, remaining: quota?.remaining, resetsAtMs: quota?.resetsAtMs }
}

describe('the next view of an embed URL that was counted today', () => {
  test('is granted without the meter, with the headers of the first', async () => {
    const { call, keys, store, state, used } = await open()
    const pair = await keys.create()
    const url = await embedded(pair)
    const first = seenBy(await call(url))
    const asked = state.asked
    for (let views = 0; views < 20; views += 1) {
      await store.changes.check()
      expect(seenBy(await call(url))).toEqual(first)
    }
    expect(state.asked).toBe(asked)
    expect(first).toEqual({
      mode: 'key',
      keyId: pair.key.id,
      limit: 3,
      remaining: 2,
      resetsAtMs: noonMs + dayMs / 2,
    })
    expect(await used(`key:${pair.key.id}`)).toBe(1)
  })

  test('is in the statistics soon, HEAD is not, and a view that was not answered is taken back', async () => {
    const { call, keys, traffic, usedInAll } = await open()
    const url = await embedded(await keys.create())
    await call(url)
    for (let views = 0; views < 5; views += 1) await call(url)
    await call(url, 'HEAD')
    const grant = grantedBy(await call(url))
    await Promise.all([grant.refund(), grant.refund()])
    await traffic.flush()
    expect(await usedInAll()).toBe(6)
  })

  test('asks the meter when one byte of the URL is another, and is refused', async () => {
    const { keys, view } = await open()
    const url = await embedded(await keys.create({ dailyQuota: 100 }))
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    const outcomes = new Set<string>()
    for (let at = url.indexOf('?') + 1; at < url.length; at += 1) {
      const changed = `${url.slice(0, at)}${url[at] === '1' ? '2' : '1'}${url.slice(at + 1)}`
      outcomes.add(await view(changed))
    }
    expect([...outcomes].filter((each) => each.startsWith('key'))).toEqual([])
    expect(await view(url.replace('/api/og', '/api/avatar'))).toBe('invalid_signature')
    expect(await view(`${url}&x=1`)).toBe('invalid_signature')
    expect(await view(url, 'POST')).toBe('invalid_signature')
    expect(await view(url, 'HEAD')).toBe('key from memory')
  })

  test('is asked for anew when the day begins, and when the clock is set back, and is not counted again', async () => {
    const { keys, clock, used, view } = await open()
    const pair = await keys.create()
    const url = await embedded(pair)
    clock.nowMs = noonMs + dayMs / 2 - 1
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    clock.nowMs += 1
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    expect(await used(`key:${pair.key.id}`)).toBe(0)
    clock.nowMs -= 1
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    expect(await used(`key:${pair.key.id}`)).toBe(1)
  })

  test('ends with its time, and outlives the overlap of an old secret', async () => {
    const { keys, clock, view } = await open()
    const pair = await keys.create()
    const url = await embedded(pair, { title: 'Ends' }, noonMs + 60_000)
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    clock.nowMs += 61_000
    expect(await view(url)).toBe('stale_signature')
    const lasting = await embedded(pair)
    await keys.rotate(pair.key.id, 60_000)
    expect([await view(lasting), await view(lasting)]).toEqual(['key', 'key from memory'])
    clock.nowMs += 61_000
    expect([await view(lasting), await view(lasting)]).toEqual(['key', 'key'])
  })

  test('is granted on when the quota of the key is used up or lowered', async () => {
    const { keys, view } = await open()
    const pair = await keys.create({ dailyQuota: 1 })
    const url = await embedded(pair)
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    expect(await view(await embedded(pair, { title: 'Other' }))).toBe('quota_exhausted')
    expect(await view(url)).toBe('key from memory')
    await keys.change(pair.key.id, { dailyQuota: 0 })
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
  })

  test('with t asks the meter each time', async () => {
    const { keys, view } = await open()
    const url = await signed(await keys.create(), noonMs)
    expect([await view(url), await view(url)]).toEqual(['key', 'key'])
  })
})

describe('a change of a key', () => {
  test('made here holds at the next view, alone and within a transaction', async () => {
    const { keys, rotateLeaked, store, view } = await open()
    const pair = await keys.create({ dailyQuota: 100 })
    const url = await embedded(pair)
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    await keys.revoke(pair.key.id)
    expect(await view(url)).toBe('invalid_key')
    await keys.restore(pair.key.id)
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    await store.transaction(function* () {
      yield* store.keys.update(pair.key.id, { revokedAtMs: noonMs })
    })
    expect(await view(url)).toBe('invalid_key')
    await keys.restore(pair.key.id)
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    await rotateLeaked(pair.key.id)
    expect(await view(url)).toBe('invalid_signature')
  })

  test('made by another process holds at the next look for changes, and a look that is too old is none', async () => {
    const path = join(directory, 'two.db')
    const [here, there] = [await open(path), await open(path)]
    const pair = await here.keys.create({ dailyQuota: 100 })
    const url = await embedded(pair)
    expect([await here.view(url), await here.view(url)]).toEqual(['key', 'key from memory'])
    for (const change of [
      () => there.keys.revoke(pair.key.id),
      () => there.keys.restore(pair.key.id),
      () => there.rotateLeaked(pair.key.id),
    ]) {
      await change()
      await here.store.changes.check()
      expect(await here.view(url)).not.toContain('from memory')
    }
    expect(await here.view(url)).toBe('invalid_signature')
    const other = await embedded(await here.keys.create())
    await here.store.changes.check()
    expect([await here.view(other), await here.view(other)]).toEqual(['key', 'key from memory'])
    here.state.ageMs = 1_100
    expect(await here.viewLater(other)).toBe('key')
  })

  test('made by another process holds for views as soon as any call of the key has met it', async () => {
    const path = join(directory, 'met.db')
    const [here, there] = [await open(path), await open(path)]
    const pair = await here.keys.create({ dailyQuota: 100 })
    const url = await embedded(pair)
    expect([await here.view(url), await here.view(url)]).toEqual(['key', 'key from memory'])
    await there.keys.revoke(pair.key.id)
    expect(await here.viewLater(await signed(pair, noonMs))).toBe('invalid_key')
    expect(await here.viewLater(url)).toBe('invalid_key')
  })

  test('is noticed from SQL as well', async () => {
    const { keys, store, view } = await open(join(directory, 'sql.db'))
    const pair = await keys.create()
    const url = await embedded(pair)
    expect([await view(url), await view(url)]).toEqual(['key', 'key from memory'])
    const { Database } = await import('bun:sqlite')
    const shell = new Database(join(directory, 'sql.db'))
    shell.run('update keys set revoked_at_ms = 1, revision = revision + 1')
    shell.close()
    await store.changes.check()
    expect(await view(url)).toBe('invalid_key')
  })
})

describe('a count that was given back', () => {
  test('is asked for again, here and in other processes', async () => {
    const path = join(directory, 'released.db')
    const [here, there] = [await open(path), await open(path)]
    const pair = await here.keys.create()
    const url = await embedded(pair)
    const first = grantedBy(await here.call(url))
    expect(await here.view(url)).toBe('key from memory')
    expect([await there.view(url), await there.view(url)]).toEqual(['key', 'key from memory'])
    await first.refund()
    await there.store.changes.check()
    expect([await here.used(`key:${pair.key.id}`), await there.view(url)]).toEqual([0, 'key'])
    expect(await there.used(`key:${pair.key.id}`)).toBe(1)
    expect([await here.view(url), await here.view(url)]).toEqual(['key', 'key from memory'])
  })
})

describe('while the database is away', () => {
  test('what was counted today is granted from memory, and nothing else', async () => {
    const { keys, state, view, viewLater, clock } = await open()
    const pair = await keys.create()
    const url = await embedded(pair)
    expect(await view(url)).toBe('key')
    state.isAway = true
    state.ageMs = 1_100
    // The meter is asked, and has no answer.
    expect([await viewLater(url), await viewLater(url, 'HEAD')]).toEqual(['key', 'key'])
    expect(await view(await embedded(pair, { title: 'New' }))).toBe('busy')
    expect([await view(await signed(pair, noonMs)), await view('/api/og?demo=1')]).toEqual(['busy', 'busy'])
    clock.nowMs += dayMs
    expect(await view(url)).toBe('busy')
  })

  test('that holds for five minutes after its last answer', async () => {
    const { keys, state, view } = await open()
    const url = await embedded(await keys.create())
    expect(await view(url)).toBe('key')
    state.isAway = true
    state.ageMs = 290_000
    expect(await view(url)).toBe('key')
    state.ageMs = 300_001
    expect(await view(url)).toBe('busy')
    state.isAway = false
    expect(await view(url)).toBe('key')
  })

  test('a key that was changed before it went is asked for', async () => {
    const { keys, state, view } = await open()
    const pair = await keys.create()
    const url = await embedded(pair)
    expect(await view(url)).toBe('key')
    await keys.revoke(pair.key.id)
    state.isAway = true
    expect(await view(url)).not.toContain('key')
  })
})

const urls = 1_000_000
const heapBytesMax = 40 * 2 ** 20

slowTest('a million embed URLs of 2 KB take bounded memory, and the latest are known', () => {
  const embeds = createCountedEmbeds()
  const before = heapBytes()
  for (let number = 0; number < urls; number += 1) {
    // One piece, as a URL that was received: a part of it would keep the whole.
    const url = Buffer.from(`${'x'.repeat(2_000)}${String(number).padStart(64, '0')}`).toString('latin1')
    embeds.add(1, url.slice(2_032), 7)
  }
  expect(heapBytes() - before).toBeLessThan(heapBytesMax)
  function has(number: number) {
    return embeds.has(1, String(number).padStart(32, '0'), 7)
  }
  expect([has(0), has(urls - 1), has(urls - 20_000)]).toEqual([false, true, true])
})

function heapBytes(): number {
  Bun.gc(true)
  return heapStats().heapSize
}

test('another day and another epoch know nothing of it', () => {
  const embeds = createCountedEmbeds(10)
  embeds.add(1, 'a', 7)
  expect([embeds.has(1, 'a', 7), embeds.has(2, 'a', 7), embeds.has(1, 'a', 8)]).toEqual([true, false, false])
  embeds.add(1, 'a', 8)
  expect([embeds.has(1, 'a', 7), embeds.has(1, 'a', 8)]).toEqual([false, true])
  embeds.remove('a')
  expect(embeds.has(1, 'a', 8)).toBe(false)
  embeds.add(2, 'b', 8)
  expect([embeds.has(1, 'a', 8), embeds.has(2, 'b', 8)]).toEqual([false, true])
})
