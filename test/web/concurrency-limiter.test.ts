import { describe, expect, test } from 'bun:test'
import { ConcurrencyLimiter, type Slot } from '../../src/web/concurrency-limiter.ts'
import type { Requester } from '../../src/web/requester.ts'

function fast() {
  return false
}
function slow() {
  return true
}

function requester(...names: string[]): Requester {
  return { names, kind: 'unpaid', id: names[0] ?? '' }
}

/** A limiter for requesters with short names. `granted` lists the requesters that got a slot, in order. */
function setUpLimiter(options: ConstructorParameters<typeof ConcurrencyLimiter>[0]) {
  const limiter = new ConcurrencyLimiter({ preemptEveryMs: 5, ...options })
  const granted: string[] = []
  async function acquire(name: string, host = name, isSlow = fast, hostMax = 100): Promise<Slot> {
    const targets = [{ name: host, max: hostMax }]
    const slot = await limiter.acquire({ requesters: [requester(name)], targets, isSlow })
    granted.push(name)
    return slot
  }
  function acquireMany(
    count: number,
    name: string,
    ...rest: [host?: string, isSlow?: () => boolean, hostMax?: number]
  ) {
    return Promise.all(Array.from({ length: count }, () => acquire(name, ...rest)))
  }
  return { limiter, granted, acquire, acquireMany }
}

function settled() {
  return Bun.sleep(30)
}
function isPreempted({ preempted }: Slot) {
  return preempted.aborted
}

describe('slots', () => {
  test('go to whoever holds the fewest, among equals to who came first, and never more than there are', async () => {
    const { acquire, acquireMany, granted } = setUpLimiter({ overallMax: 4 })
    const slots = await acquireMany(3, 'a')
    const [other] = await acquireMany(1, 'b')
    const waiting = [acquireMany(3, 'a'), acquire('b'), acquire('c'), acquire('d')]
    await settled()
    expect(granted.join('')).toBe('aaab')
    for (const slot of [other, ...slots]) slot?.release()
    await settled()
    expect(granted.join('')).toBe('aaabbcda')
    slots[0]?.release()
    expect(granted.join('')).toBe('aaabbcda')
    void Promise.allSettled(waiting)
  })

  test('are bounded for each requester, also while others are free, and under each of its names', async () => {
    const { limiter, acquireMany, granted } = setUpLimiter({ overallMax: 10, perRequesterMax: 2, waitMs: 50 })
    await acquireMany(2, 'a')
    await expect(acquireMany(1, 'a')).rejects.toMatchObject({ reason: 'too_busy' })
    function keyed(address: string) {
      return limiter.acquire({ requesters: [requester(address, 'key')], targets: [], isSlow: fast })
    }
    await Promise.all([keyed('x'), keyed('y')])
    await expect(keyed('z')).rejects.toMatchObject({ reason: 'too_busy' })
    await acquireMany(2, 'b')
    expect(granted).toHaveLength(4)
  })

  test('are bounded for each target, whoever asks, and a target that answers elsewhere counts there', async () => {
    const { acquire, granted } = setUpLimiter({})
    const [first] = [await acquire('a', 'host', fast, 2), await acquire('b', 'host', fast, 2)]
    const third = acquire('c', 'host', fast, 2)
    await acquire('c', 'another', fast, 2)
    expect(granted.join('')).toBe('abc')
    first.retarget([{ name: 'elsewhere', max: 1 }])
    await settled()
    await acquire('d', 'yet another')
    const fourth = acquire('e', 'elsewhere', fast, 1)
    await third
    await settled()
    expect(granted.join('')).toBe('abccd')
    first.release()
    first.release()
    await fourth
    expect(granted.join('')).toBe('abccde')
  })

  test('of slow work go to others who wait and hold fewer, and only then', async () => {
    const { acquire, acquireMany } = setUpLimiter({ overallMax: 6 })
    const heavy = await acquireMany(4, 'heavy', 'drips', slow)
    const [light, quick] = [await acquire('light', 'drip', slow), await acquire('quick')]
    await settled()
    expect([...heavy, light, quick].some(isPreempted)).toBe(false)
    const waiting = acquire('new')
    await settled()
    expect([...heavy, light, quick].filter(isPreempted).length).toBeGreaterThan(0)
    expect([light, quick].some(isPreempted)).toBe(false)
    for (const slot of heavy.filter(isPreempted)) slot.release()
    await waiting
    // Nobody waits any longer: whoever is slow now may be.
    const rest = heavy.filter((slot) => !isPreempted(slot))
    await settled()
    expect(rest.some(isPreempted)).toBe(false)
  })

  test('of a slow site do not change hands between those who hold one each: nobody would ever see it', async () => {
    const { acquire, acquireMany } = setUpLimiter({})
    const two = [await acquire('a', 'slow site', slow, 2), await acquire('b', 'slow site', slow, 2)]
    const third = acquire('c', 'slow site', slow, 2)
    await settled()
    expect(two.some(isPreempted)).toBe(false)
    for (const slot of two) slot.release()
    await third
    // Who holds all of a site by dripping yields.
    const drips = await acquireMany(2, 'd', 'dripping site', slow, 2)
    const fourth = acquire('e', 'dripping site', slow, 2)
    await settled()
    for (const slot of drips.filter(isPreempted)) slot.release()
    await fourth
  })
})

describe('the queue', () => {
  test('is bounded in length and in time, and a refusal leaves nothing behind', async () => {
    const { acquire, acquireMany } = setUpLimiter({ overallMax: 1, waitingPerRequesterMax: 2, waitMs: 60 })
    const slot = await acquire('a')
    const waiting = [acquire('a'), acquire('a')]
    await expect(acquire('a')).rejects.toMatchObject({ code: 'busy' })
    for (const late of await Promise.allSettled(waiting)) expect(late.status).toBe('rejected')
    slot.release()
    await acquireMany(1, 'a')
  })

  test('that is full makes room at the cost of whoever has the most in it', async () => {
    const { acquire } = setUpLimiter({ overallMax: 1, waitingMax: 10, waitingPerRequesterMax: 8 })
    const slot = await acquire('x')
    const ends: string[] = []
    function queue(name: string) {
      return acquire(name).then(
        (granted) => {
          ends.push(name)
          granted.release()
        },
        () => ends.push(`not ${name}`),
      )
    }
    const all = [...Array.from({ length: 8 }, () => queue('flood')), queue('a'), queue('b'), queue('late')]
    await settled()
    expect(ends).toEqual(['not flood'])
    slot.release()
    await Promise.all(all)
    expect(Object.groupBy(ends, (name) => name)).toMatchObject({
      flood: Array(7).fill('flood'),
      a: ['a'],
      b: ['b'],
      late: ['late'],
    })
  })

  test('that is full of those who have one place each is full', async () => {
    const { acquire } = setUpLimiter({ overallMax: 1, waitingMax: 2 })
    const slot = await acquire('x')
    const waiting = [acquire('a'), acquire('b')]
    await expect(acquire('c')).rejects.toMatchObject({ reason: 'too_busy' })
    slot.release()
    for (const one of waiting) (await one).release()
  })

  test('moves on when somebody who holds fewer joins work that waits', async () => {
    const { limiter, acquireMany, granted } = setUpLimiter({ overallMax: 2 })
    const slots = await acquireMany(2, 'heavy')
    const requesters: Requester[] = [requester('heavy')]
    const shared = limiter
      .acquire({ requesters, targets: [], isSlow: fast })
      .then(() => granted.push('shared'))
    const other = acquireMany(1, 'light').then(() => granted.push('light after'))
    requesters.push(requester('new'))
    slots[0]?.release()
    await Promise.race([shared, other])
    await settled()
    expect(granted.slice(2)).toEqual(['shared'])
    slots[1]?.release()
    await other
  })
})
