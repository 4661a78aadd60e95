import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createKeyIssuer } from '../../src/access/keys.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { createTemporaryAccess } from './temporary-access.ts'

async function start(isOpen = true) {
  const access = await createTemporaryAccess()
  const issuer = createKeyIssuer({ ...access, isOpen: () => isOpen, perAddressDaily: 2 })
  async function issued(address: string) {
    return (await issuer.issue(address)).issued
  }
  return { access, issuer, issued }
}

describe('issuing keys', () => {
  test('gives each client address a few a day', async () => {
    const { access, issuer, issued } = await start()
    expect([await issued('192.0.2.1'), await issued('192.0.2.1'), await issued('192.0.2.1')]).toEqual([
      true,
      true,
      false,
    ])
    expect(await issued('192.0.2.2')).toBe(true)
    const resetsAtMs = Date.parse('2026-03-02T00:00:00Z')
    expect(await issuer.issue('192.0.2.1')).toEqual({ issued: false, error: 'rate_limited', resetsAtMs })
    access.clock.nowMs = resetsAtMs
    expect(await issued('192.0.2.1')).toBe(true)
    expect(await access.store.keys.issued()).toBe(4)
  })

  test('takes a /64 of IPv6 for one client, and IPv4 inside IPv6 for IPv4', async () => {
    const { issued } = await start()
    await Promise.all([issued('2001:db8:0:1::1'), issued('2001:db8::1:a:b:c:d')])
    expect(await issued('2001:0DB8:0:1:ffff::')).toBe(false)
    expect(await issued('2001:db8:0:2::1')).toBe(true)
    await Promise.all([issued('192.0.2.1'), issued('::ffff:192.0.2.1')])
    expect(await issued('192.0.2.1')).toBe(false)
  })

  test('gives four clients’ keys to a /56 and sixteen to a /48, and counts nothing for a call that is refused', async () => {
    const { access, issued } = await start()
    const counts = new Map<string, number>()
    for (let subnet = 0; subnet < 0x800; subnet += 0x10) {
      const block = `2001:db8:5:${(subnet & 0xff00).toString(16)}/56`
      const keys = [await issued(`2001:db8:5:${subnet.toString(16)}::1`)].filter(Boolean)
      counts.set(block, (counts.get(block) ?? 0) + keys.length)
    }
    expect([...counts.values()]).toEqual([8, 8, 8, 8, 0, 0, 0, 0])
    for (const [block, count] of counts) expect(await access.used(`ip:${block}:keys`)).toBe(count)
    expect(await access.used('ip:2001:db8:5/48:keys')).toBe(32)
    expect(await access.used('ip:2001:db8:5:700:keys')).toBe(0)
    expect(await access.store.keys.issued()).toBe(32)
    expect(await issued('2001:db8:6:1::1')).toBe(true)
  })

  test('keeps the counts of an earlier version, which knew the /64 alone', async () => {
    const { access, issued } = await start()
    await access.store.usage.set(utcDay(access.clock.now()), 'ip:2001:db8:0:1:keys', 2)
    expect([await issued('2001:db8:0:1::1'), await issued('2001:db8:0:2::1')]).toEqual([false, true])
  })

  test('is bounded over two servers that one subscriber asks at once, and gives as many keys as were counted', async () => {
    const path = join(temporaryDirectory(), 'shared.sqlite')
    const servers = await Promise.all([1, 2].map(() => createTemporaryAccess({ path })))
    const issuers = servers.map((access) =>
      createKeyIssuer({ ...access, isOpen: () => true, perAddressDaily: 2 }),
    )
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        issuers[index % 2]?.issue(`2001:db8:7:${(index * 16).toString(16)}::1`),
      ),
    )
    await Promise.all(servers.map(({ store }) => store.deferred.flush()))
    const issuedCount = outcomes.filter((outcome) => outcome?.issued).length
    const [access] = servers
    expect(issuedCount).toBeGreaterThan(0)
    expect(issuedCount).toBeLessThanOrEqual(32)
    expect(await access?.used('ip:2001:db8:7/48:keys')).toBe(issuedCount)
    expect(await access?.store.keys.issued()).toBe(issuedCount)
    await Promise.all(servers.map(({ store }) => store.close()))
  })

  test('can be switched off', async () => {
    const { access, issuer } = await start(false)
    expect(await issuer.issue('192.0.2.1')).toEqual({ issued: false, error: 'issuing_closed' })
    expect(await access.store.keys.issued()).toBe(0)
  })

  test('that fails gives the address its turn back', async () => {
    const { access } = await start()
    const keys = {
      ...access.keys,
      create: () => {
        throw new Error('disk full')
      },
    }
    const issuer = createKeyIssuer({ keys, meter: access.meter, isOpen: () => true, perAddressDaily: 2 })
    await expect(issuer.issue('192.0.2.1')).rejects.toThrow('disk full')
    await expect(issuer.issue('2001:db8:0:1::1')).rejects.toThrow('disk full')
    const blocks = ['192.0.2.1', '2001:db8:0:1', '2001:db8:0:0/56', '2001:db8:0/48']
    for (const block of blocks) expect(await access.used(`ip:${block}:keys`)).toBe(0)
  })
})
