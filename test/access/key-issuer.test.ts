import { describe, expect, test } from 'bun:test'
import { createKeyIssuer } from '../../src/access/key-issuer.ts'
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
    await Bun.sleep(5)
    expect(await access.used('ip:192.0.2.1:keys')).toBe(0)
  })
})
