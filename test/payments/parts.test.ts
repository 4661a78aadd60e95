import { describe, expect, test } from 'bun:test'
import { formatMicros } from '../../src/lib/human-format.ts'
import { toAtomic, toMicros } from '../../src/payments/payment-settings.ts'
import { headerUrl } from '../../src/payments/wire/payment-terms.ts'
import { bindingFor, bindingOf, dataSuffixFor } from '../../src/payments/wire/request-binding.ts'
import { createLeaseOwner, isLeaseOwnerGone } from '../../src/store/sqlite/sqlite-database.ts'
import { slowTest } from '../support/test-size.ts'
import { compileContracts } from './support/compile-contracts.ts'
import artefacts from './support/contracts/artefacts.json' with { type: 'json' }

describe('money', () => {
  test('is written as people write it', () => {
    const rows = [
      [0, '0.00'],
      [1, '0.000001'],
      [10_000, '0.01'],
      [15_000, '0.015'],
      [1_000_000, '1.00'],
      [12_340_000, '12.34'],
    ] as const
    for (const [micros, text] of rows) expect(formatMicros(micros)).toBe(text)
  })

  test('beyond what can be counted exactly counts as the most that can', () => {
    expect(toMicros(10n ** 30n, { decimals: 6 })).toBe(Number.MAX_SAFE_INTEGER)
    expect(toMicros(42n, { decimals: 6 })).toBe(42)
  })

  test.each([
    [6, 10_000n],
    [8, 1_000_000n],
    [18, 10n ** 16n],
    [36, 10n ** 34n],
  ])('a cent of a token of %d decimals is %s of its atomic units, there and back', (decimals, atomic) => {
    expect(toAtomic(10_000, { decimals })).toBe(atomic)
    expect(toMicros(atomic, { decimals })).toBe(10_000)
    expect(toMicros(atomic - 1n, { decimals })).toBe(9_999)
  })
})

describe('a binding', () => {
  const secret = new Uint8Array(32).fill(1)
  const request = { method: 'GET', url: 'https://a.example/api/og?title=A' }

  test('is found at the end of calldata, and other calldata has none', () => {
    const suffix = dataSuffixFor(request, secret)
    expect(bindingOf(`0xa9059cbb${'00'.repeat(64)}${suffix.slice(2)}`)).toBe(bindingFor(request, secret))
    expect(bindingOf(`0xa9059cbb${'00'.repeat(64)}`)).toBeUndefined()
    expect(bindingOf('0x')).toBeUndefined()
  })

  test('differs by method, URL and server', () => {
    const others = [
      bindingFor({ ...request, method: 'POST' }, secret),
      bindingFor({ ...request, url: `${request.url}B` }, secret),
      bindingFor(request, new Uint8Array(32).fill(2)),
    ]
    expect(new Set([bindingFor(request, secret), ...others]).size).toBe(4)
  })
})

test('a URL too long for headers is named by its query, and no two by the same name', () => {
  function long(letter: string) {
    return `https://a.example/api/og?title=${letter.repeat(2000)}`
  }
  expect(headerUrl('https://a.example/api/og?title=A')).toBe('https://a.example/api/og?title=A')
  expect(headerUrl(long('x'))).toStartWith('https://a.example/api/og#query-sha256=')
  expect(headerUrl(long('x'))).not.toBe(headerUrl(long('y')))
  expect(headerUrl(long('x')).length).toBeLessThan(120)
})

test('a lease owner is gone only when its process certainly is', () => {
  const own = createLeaseOwner()
  const [host] = own.split('/')
  expect(isLeaseOwnerGone(own)).toBe(false)
  expect(isLeaseOwnerGone(createLeaseOwner())).toBe(false)
  expect(isLeaseOwnerGone(`${host}/${process.pid}/abc`)).toBe(true)
  expect(isLeaseOwnerGone(`${host}/${process.ppid}/abc`)).toBe(false)
  expect(isLeaseOwnerGone(`${host}/999999999/abc`)).toBe(true)
  expect(isLeaseOwnerGone('elsewhere/1/abc')).toBe(false)
})

slowTest('the compiled contracts are those of the source', async () => {
  expect(await compileContracts()).toEqual(artefacts as never)
})
