import { describe, expect, test } from 'bun:test'
import { createConcurrencyLimiter, type Slot } from '../../src/web/concurrency-limiter.ts'
import type { Requester } from '../../src/web/slot-table.ts'

function fast() {
  return false
}
function slow() {
  return true
}

/** A limiter whose users are told by letters; `got` has those who were given a slot, in order. */
function house(options: Parameters<typeof createConcurrencyLimiter>[0]) {
  const limiter = createConcurrencyLimiter({ preemptEveryMs: 5, ...options })
  const got: string[] = []
  async function ask(name: string, host = name, isSlow = fast, hostMax = 100): Promise<Slot> {
    const targets = [{ name: host, max: hostMax }]
    const slot = await limiter.acquire({ requesters: [[name]], targets, isSlow })
    got.push(name)
    return slot
  }
  function many(
    count: number,
    name: string,
    ...rest: [host?: string, isSlow?: () => boolean, hostMax?: number]
  ) {
    return Promise.all(Array.from({ length: count }, () => ask(name, ...rest)))
  }
  return { limiter, got, ask, many }
}

function settled() {
  return Bun.sleep(30)
}
function isPreempted({ preempted }: Slot) {
  return preempted.aborted
}

describe('slots', () => {
  test('go to whoever holds the fewest, among equals to who came first, and never more than there are', async () => {
    const { ask, many, got } = house({ overallMax: 4 })
    const slots = await many(3, 'a')
    const [other] = await many(1, 'b')
    const waiting = [many(3, 'a'), ask('b'), ask('c'), ask('d')]
    await settled()
    expect(got.join('')).toBe('aaab')
    for (const slot of [other, ...slots]) slot?.release()
    await settled()
    expect(got.join('')).toBe('aaabbcda')
    slots[0]?.release()
    expect(got.join('')).toBe('aaabbcda')
    void Promise.allSettled(waiting)
  })

  test('are bounded for each requester, also while others are free, and under each of its names', async () => {
    const { limiter, many, got } = house({ overallMax: 10, perRequesterMax: 2, waitMs: 50 })
    await many(2, 'a')
    await expect(many(1, 'a')).rejects.toMatchObject({ reason: 'too_busy' })
    function keyed(address: string) {
      return limiter.acquire({ requesters: [[address, 'key']], targets: [], isSlow: fast })
    }
    await Promise.all([keyed('x'), keyed('y')])
    await expect(keyed('z')).rejects.toMatchObject({ reason: 'too_busy' })
    await many(2, 'b')
    expect(got).toHaveLength(4)
  })

  test('are bounded for each target, whoever asks, and a target that answers elsewhere counts there', async () => {
    const { ask, got } = house({})
    const [first] = [await ask('a', 'host', fast, 2), await ask('b', 'host', fast, 2)]
    const third = ask('c', 'host', fast, 2)
    await ask('c', 'another', fast, 2)
    expect(got.join('')).toBe('abc')
    first.retarget([{ name: 'elsewhere', max: 1 }])
    await settled()
    await ask('d', 'yet another')
    const fourth = ask('e', 'elsewhere', fast, 1)
    await third
    await settled()
    expect(got.join('')).toBe('abccd')
    first.release()
    first.release()
    await fourth
    expect(got.join('')).toBe('abccde')
  })

  test('of slow work go to others who wait and hold fewer, and only then', async () => {
    const { ask, many } = house({ overallMax: 6 })
    const heavy = await many(4, 'heavy', 'drips', slow)
    const [light, quick] = [await ask('light', 'drip', slow), await ask('quick')]
    await settled()
    expect([...heavy, light, quick].some(isPreempted)).toBe(false)
    const waiting = ask('new')
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
    const { ask, many } = house({})
    const two = [await ask('a', 'slow site', slow, 2), await ask('b', 'slow site', slow, 2)]
    const third = ask('c', 'slow site', slow, 2)
    await settled()
    expect(two.some(isPreempted)).toBe(false)
    for (const slot of two) slot.release()
    await third
    // Who holds all of a site by dripping yields.
    const drips = await many(2, 'd', 'dripping site', slow, 2)
    const fourth = ask('e', 'dripping site', slow, 2)
    await settled()
    for (const slot of drips.filter(isPreempted)) slot.release()
    await fourth
  })
})

describe('the queue', () => {
  test('is bounded in length and in time, and a refusal leaves nothing behind', async () => {
    const { ask, many } = house({ overallMax: 1, waitingPerRequesterMax: 2, waitMs: 60 })
    const slot = await ask('a')
    const waiting = [ask('a'), ask('a')]
    await expect(ask('a')).rejects.toMatchObject({ code: 'busy' })
    for (const late of await Promise.allSettled(waiting)) expect(late.status).toBe('rejected')
    slot.release()
    await many(1, 'a')
  })

  test('that is full makes room at the cost of whoever has the most in it', async () => {
    const { ask } = house({ overallMax: 1, waitingMax: 10, waitingPerRequesterMax: 8 })
    const slot = await ask('x')
    const ends: string[] = []
    function queue(name: string) {
      return ask(name).then(
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
    const { ask } = house({ overallMax: 1, waitingMax: 2 })
    const slot = await ask('x')
    const inLine = [ask('a'), ask('b')]
    await expect(ask('c')).rejects.toMatchObject({ reason: 'too_busy' })
    slot.release()
    for (const one of inLine) (await one).release()
  })

  test('moves on when somebody who holds fewer joins work that waits', async () => {
    const { limiter, many, got } = house({ overallMax: 2 })
    const slots = await many(2, 'heavy')
    const requesters: Requester[] = [['heavy']]
    const shared = limiter.acquire({ requesters, targets: [], isSlow: fast }).then(() => got.push('shared'))
    const other = many(1, 'light').then(() => got.push('light after'))
    requesters.push(['new'])
    slots[0]?.release()
    await Promise.race([shared, other])
    await settled()
    expect(got.slice(2)).toEqual(['shared'])
    slots[1]?.release()
    await other
  })
})
