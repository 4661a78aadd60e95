import { describe, expect, test } from 'bun:test'
import type { Requester } from '../../src/web/requester.ts'
import { createTargetLimit } from '../../src/web/target-limit.ts'
import { testChecks } from '../support/check.ts'
import { slowTest } from '../support/test-size.ts'
import { checks } from './target-checks.ts'

const minuteMs = 60_000
const address = '203.0.113.1'
const bodyBytes = 2_097_152

const paid: Requester = { names: [], kind: 'paid', id: 'payment' }
function key(id: string): Requester {
  return { names: [], kind: 'key', id }
}
function stranger(client: string): Requester {
  return { names: [], kind: 'unpaid', id: client }
}
function refreshFor(requester: Requester): Requester {
  return { ...requester, isBackground: true }
}

/** A limit with a clock of its own, and what it lets through. */
function limited(
  perMinute = 600,
  options: { readonly processes?: number; readonly isDivided?: boolean } = {},
) {
  const clock = { nowMs: 1_700_000_000_000 }
  const { isDivided = true, processes = 1 } = options
  const limit = createTargetLimit({
    perMinute,
    processes,
    now: () => clock.nowMs,
    isDivided: () => isDivided,
  })
  /** Makes one request; its target refuses it where this is undefined. */
  function ask(requester: Requester, host = 'www.example.com', addresses: readonly string[] = [address]) {
    try {
      const request = limit.begin(host, [requester])
      try {
        const [reached = ''] = request.send(addresses, bodyBytes)
        request.reached(reached)
        return request
      } finally {
        request.end(1_000)
      }
    } catch (failure) {
      expect(failure).toMatchObject({ code: 'busy', reason: 'target_busy' })
      return undefined
    }
  }
  function askUntilRefused(requester: Requester, host?: string, addresses?: readonly string[]): number {
    let sent = 0
    while (sent < 10_000 && ask(requester, host, addresses) !== undefined) sent += 1
    return sent
  }
  return { limit, clock, ask, askUntilRefused }
}

describe('requests to one registrable domain', () => {
  test('are at most so many a minute over everybody who asks, and a fifth for those who neither pay nor sign', () => {
    const { askUntilRefused } = limited()
    const strangers = Array.from({ length: 40 }, (_, n) => askUntilRefused(stranger(`192.0.2.${n}`)))
    const keys = Array.from({ length: 40 }, (_, n) => askUntilRefused(key(`mk_${n}`)))
    const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0)
    expect([sum(strangers), sum(keys) + askUntilRefused(paid)]).toEqual([120, 480])
  })

  test.each([
    ['that begins with a hyphen', (n: number) => `-${n}.example.com`],
    ['that ends with one', (n: number) => `${n}-.example.com`],
    ['with an asterisk', (n: number) => `a*${n}.example.com`],
    ['of more than 63 letters', (n: number) => `${'a'.repeat(64)}${n}.example.com`],
    ['that is empty', (n: number) => `${n}..example.com`],
  ])('are counted together under a label %s, which no registry would take', (_, hostOf) => {
    const { askUntilRefused } = limited()
    let sent = 0
    for (let n = 0; n < 40; n += 1) sent += askUntilRefused(stranger(`192.0.2.${n}`), hostOf(n))
    expect(sent).toBe(120)
  })

  test('are divided among strangers, who leave a quarter to those who have had little', () => {
    const { askUntilRefused } = limited()
    expect(askUntilRefused(stranger('192.0.2.1'))).toBe(90)
    expect(askUntilRefused(stranger('2001:db8:1:1::1'))).toBe(15)
    expect(askUntilRefused(stranger('2001:db8:1:1::2'))).toBe(0)
    expect([askUntilRefused(stranger('192.0.2.2')), askUntilRefused(stranger('192.0.2.3'))]).toEqual([15, 0])
  })

  test('are not divided where strangers cannot be told apart', () => {
    expect(limited(600, { isDivided: false }).askUntilRefused(stranger('127.0.0.1'))).toBe(120)
  })

  test('are forgotten after a minute, so that no minute has more', () => {
    const { ask, clock } = limited(100)
    const sentAtMs: number[] = []
    for (let step = 0; step < 1_200; step += 1) {
      clock.nowMs += 250
      const requester = [paid, key(`mk_${step % 7}`), stranger(`192.0.2.${step % 5}`)][step % 3] ?? paid
      if (ask(requester) !== undefined) sentAtMs.push(clock.nowMs)
    }
    for (const fromMs of sentAtMs)
      expect(sentAtMs.filter((ms) => ms >= fromMs && ms < fromMs + minuteMs).length).toBeLessThanOrEqual(100)
    expect(sentAtMs.length).toBeGreaterThan(350)
  })

  test('count over its subdomains, and those of a private suffix are domains of their own', () => {
    const { askUntilRefused } = limited(100)
    expect(askUntilRefused(paid, 'a.example.com', ['203.0.113.1'])).toBe(80)
    expect(askUntilRefused(paid, 'b.c.example.com', ['203.0.113.2'])).toBe(0)
    expect(askUntilRefused(paid, 'one.github.io', ['203.0.113.3'])).toBe(80)
    expect(askUntilRefused(paid, 'two.github.io', ['203.0.113.4'])).toBe(80)
  })

  test('count for the address that stands in place of a name', () => {
    const { askUntilRefused } = limited(100)
    expect(askUntilRefused(paid, '203.0.113.9', ['203.0.113.9'])).toBe(80)
    expect(askUntilRefused(paid, '[2001:db8::1]', ['2001:db8::1'])).toBe(80)
    expect(askUntilRefused(paid, '[2001:db8::2]', ['2001:db8::2'])).toBe(0)
  })

  test('are an equal part for each process of a server', () => {
    const { askUntilRefused } = limited(600, { processes: 4, isDivided: false })
    expect([askUntilRefused(stranger('127.0.0.1')), askUntilRefused(paid)]).toEqual([30, 120])
  })
})

describe('one key', () => {
  test('has three quarters of what keys and payments share while nobody else wants it', () => {
    expect(limited().askUntilRefused(key('mk_one'))).toBe(360)
  })

  test('has a quarter while others want it', () => {
    for (const other of [key('mk_two'), paid]) {
      const { ask, askUntilRefused } = limited()
      expect(ask(other)).toBeDefined()
      expect(askUntilRefused(key('mk_one'))).toBe(120)
    }
  })

  test('leaves a quarter to others that come after it, and gets no more until a minute after they have asked', () => {
    const { clock, ask, askUntilRefused } = limited()
    expect([askUntilRefused(key('mk_one')), askUntilRefused(key('mk_two'))]).toEqual([360, 60])
    clock.nowMs += minuteMs / 2
    expect(ask(key('mk_two'))).toBeUndefined()
    clock.nowMs += minuteMs / 2
    expect(askUntilRefused(key('mk_one'))).toBe(120)
    clock.nowMs += minuteMs
    expect(askUntilRefused(key('mk_one'))).toBe(360)
  })
})

test('refreshes in the background fill half of a part, so that they give way first', () => {
  const { askUntilRefused } = limited(600, { isDivided: false })
  expect(askUntilRefused(refreshFor(key('mk_one')))).toBe(240)
  expect([askUntilRefused(refreshFor(key('mk_two'))), askUntilRefused(paid)]).toEqual([0, 240])
  expect(askUntilRefused(refreshFor(stranger('192.0.2.1')))).toBe(60)
  expect(askUntilRefused(stranger('127.0.0.1'))).toBe(60)
})

describe('requests to one address', () => {
  test('are four times as many, over all domains that lie there', () => {
    const { askUntilRefused } = limited(50, { isDivided: false })
    const counts = Array.from({ length: 10 }, (_, n) => askUntilRefused(paid, `site${n}.com`))
    expect(counts).toEqual([40, 40, 40, 40, 0, 0, 0, 0, 0, 0])
    const strangers = Array.from({ length: 10 }, (_, n) =>
      askUntilRefused(stranger('127.0.0.1'), `site${n}.com`),
    )
    expect(strangers).toEqual([10, 10, 10, 10, 0, 0, 0, 0, 0, 0])
  })

  test('count for the /64 of an IPv6 address', () => {
    const { askUntilRefused } = limited(50)
    const counts = Array.from({ length: 6 }, (_, n) =>
      askUntilRefused(paid, `site${n}.com`, [`2001:db8:1:2::${n + 1}`]),
    )
    expect(counts).toEqual([40, 40, 40, 40, 0, 0])
    expect(askUntilRefused(paid, 'other.com', ['2001:db8:1:3::1'])).toBe(40)
  })

  test('are sent to an address of the host that has some left, and count for the one that was reached alone', () => {
    const { limit, ask, askUntilRefused } = limited(50)
    for (let n = 0; n < 4; n += 1) askUntilRefused(paid, `site${n}.com`, ['203.0.113.1'])
    const request = limit.begin('both.com', [paid])
    expect(request.send(['203.0.113.1', '203.0.113.2'], bodyBytes)).toEqual(['203.0.113.2'])
    request.end(0)
    for (let n = 0; n < 40; n += 1)
      expect(ask(paid, `more${n}.com`, ['203.0.113.3', '203.0.113.4'])).toBeDefined()
    const left = Array.from({ length: 5 }, (_, n) => askUntilRefused(paid, `last${n}.com`, ['203.0.113.4']))
    expect(left).toEqual([40, 40, 40, 40, 0])
  })
})

describe('a request', () => {
  test('stays counted whatever becomes of it, but not if it was never sent', () => {
    const { limit, askUntilRefused } = limited(50)
    for (let n = 0; n < 10; n += 1) limit.begin('example.com', [paid]).end(0)
    for (let n = 0; n < 10; n += 1) {
      const failed = limit.begin('example.com', [paid])
      failed.send([address], bodyBytes)
      failed.end(0)
    }
    expect(askUntilRefused(paid)).toBe(30)
  })

  test('counts for the one of its requesters who has most right to it', () => {
    const { limit, askUntilRefused } = limited(50, { isDivided: false })
    const request = limit.begin('example.com', [stranger('127.0.0.1'), key('mk_one')])
    expect(request.isUnpaid).toBe(false)
    request.send([address], bodyBytes)
    request.end(0)
    expect(askUntilRefused(stranger('127.0.0.1'))).toBe(10)
    expect(limit.begin('example.com', [stranger('127.0.0.1'), paid]).isUnpaid).toBe(false)
  })

  test('that is refused says when to come again', () => {
    const { limit, clock, askUntilRefused } = limited(50)
    askUntilRefused(paid)
    clock.nowMs += 20_500
    expect(() => limit.begin('example.com', [paid])).toThrow(
      expect.objectContaining({ retryAfterSeconds: 40 }) as unknown as Error,
    )
  })
})

describe('requests that were taken in advance', () => {
  const counts = { countMax: 48, countMin: 3 }

  test('are kept for the work, and what it did not use is given back', () => {
    const { limit, askUntilRefused } = limited(600, { isDivided: false })
    const client = stranger('127.0.0.1')
    const reservation = limit.reserve('example.com', [client], counts)
    expect([reservation.count, askUntilRefused(client)]).toEqual([48, 72])
    for (let n = 0; n < 10; n += 1) {
      const request = limit.begin('www.example.com', [client], reservation)
      request.send([address], bodyBytes)
      request.end(0)
    }
    expect(askUntilRefused(client)).toBe(0)
    reservation.release()
    expect(askUntilRefused(client)).toBe(38)
  })

  test('are as many as there are left, if those are enough', () => {
    const { limit, askUntilRefused } = limited(600)
    const client = stranger('192.0.2.1')
    expect(limit.reserve('example.com', [client], counts).count).toBe(48)
    expect(limit.reserve('example.com', [client], counts).count).toBe(42)
    expect(limit.reserve('example.com', [stranger('192.0.2.2')], counts).count).toBe(15)
    expect(askUntilRefused(stranger('192.0.2.3'))).toBe(15)
    expect(() => limit.reserve('example.com', [stranger('192.0.2.4')], counts)).toThrow()
  })

  test('pay for no other domain', () => {
    const { limit, askUntilRefused } = limited(600, { isDivided: false })
    const client = stranger('127.0.0.1')
    const reservation = limit.reserve('example.com', [client], counts)
    limit.begin('example.net', [client], reservation).send([address], bodyBytes)
    expect(askUntilRefused(client, 'example.net')).toBe(119)
  })
})

describe('bytes that nothing pays for', () => {
  const mib = 1_048_576

  /** Reads documents of this size until one is refused. */
  function readUntilRefused(
    { limit }: ReturnType<typeof limited>,
    requester: Requester,
    bytes: number,
    host = 'example.com',
  ): number {
    for (let count = 0; ; count += 1) {
      if (count > 5_000) return count
      try {
        const request = limit.begin(host, [requester])
        request.send([address], bodyBytes)
        request.end(Math.min(bytes, request.wireBytesMax(bodyBytes)))
      } catch {
        return count
      }
    }
  }

  test('are one MiB of a document and 64 MiB a minute from one domain and one address', () => {
    const parts = limited(10_000, { isDivided: false })
    const client = stranger('127.0.0.1')
    expect(readUntilRefused(parts, client, 50 * mib)).toBe(64)
    expect(readUntilRefused(parts, client, 50 * mib, 'another.com')).toBe(0)
    expect(parts.limit.begin('example.com', [paid]).wireBytesMax(bodyBytes)).toBe(Infinity)
    parts.clock.nowMs += minuteMs
    expect(readUntilRefused(parts, client, 100_000)).toBeGreaterThan(600)
  })

  test('are divided among strangers, and by the processes of a server', () => {
    const parts = limited(10_000)
    expect(readUntilRefused(parts, stranger('192.0.2.1'), mib)).toBe(48)
    expect(readUntilRefused(parts, stranger('192.0.2.2'), mib)).toBe(8)
    const one = limited(10_000, { processes: 16, isDivided: false })
    expect(readUntilRefused(one, stranger('127.0.0.1'), mib)).toBe(8)
  })
})

describe('the fetcher', () => {
  testChecks(checks)
})

slowTest('a flood of targets makes nothing grow for longer than a minute', () => {
  const { ask, clock } = limited()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 30_000; n += 1) {
    clock.nowMs += 100
    ask(stranger(`192.0.${n & 255}.${n >> 8}`), `a.site${n}.com`, [`198.51.${n & 255}.${n >> 8}`])
  }
  Bun.gc(true)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
})
