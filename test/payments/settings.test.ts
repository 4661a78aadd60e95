import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { evm, Mppx } from 'mppx/client'
import { privateKeyToAccount } from 'viem/accounts'
import { hashMessage } from 'viem/utils'
import { readConfig } from '../../src/config.ts'
import { formatMicros } from '../../src/lib/human-format.ts'
import { SettingsError } from '../../src/lib/settings.ts'
import { createEndpoint } from '../../src/payments/chain/rpc.ts'
import { isSignedByKey } from '../../src/payments/chain/signatures.ts'
import { readPaymentSettings, toAtomic, toMicros } from '../../src/payments/payment-settings.ts'
import { readJson } from '../../src/payments/settle/facilitator-settler.ts'
import { headerUrl } from '../../src/payments/wire/payment-terms.ts'
import { bindingFor, bindingOf, dataSuffixFor } from '../../src/payments/wire/request-binding.ts'
import { createLeaseOwner, isLeaseOwnerGone } from '../../src/store/sqlite/sqlite-database.ts'
import { floodingAnswer } from '../support/endless-answers.ts'
import { watchEventLoop } from '../support/event-loop-lag.ts'
import { started } from '../support/started.ts'
import { slowTest } from '../support/test-size.ts'
import cases from './settings.json' with { type: 'json' }
import { payer, settlerEnv, shopkeeper, startAnvil, stranger } from './support/anvil.ts'
import { compileContracts } from './support/compile-contracts.ts'
import artefacts from './support/contracts/artefacts.json' with { type: 'json' }
import { freshUrl, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { fromBase64, signAuthorization, v1Header, v2Header } from './support/sign.ts'

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const mistyped = '0x52908400098527886E0F7030069857D2E4169Ee7'
const upper = `0x${checksummed.slice(2).toUpperCase()}`

const token = { X402_ASSET_NAME: 'Token', X402_ASSET_VERSION: '1', X402_RPC_URLS: 'http://127.0.0.1:8545' }
function read(env: Record<string, string>) {
  return readPaymentSettings(
    readConfig({ ...token, ...env }, () => {
      throw new Error('no such file')
    }),
  )
}

test.each([checksummed, checksummed.toLowerCase(), upper])('the address %s is taken', (address) => {
  const settings = read({ X402_PAY_TO: address, X402_ASSET: address })
  expect([settings?.payTo, settings?.asset.address] as string[]).toEqual([checksummed, checksummed])
})

test.each(['X402_PAY_TO', 'X402_ASSET'])('%s with a wrong checksum stops the start', (name) => {
  function start() {
    return read({ X402_PAY_TO: checksummed, X402_ASSET: checksummed, [name]: mistyped })
  }
  expect(start).toThrow(SettingsError)
  expect(start).toThrow(`${name} has a wrong EIP-55 checksum`)
})

/** A token of 18 decimals: a card for 0.01 costs 10^16 of its atomic units. */
const cent = 10n ** 16n

const chain = started(startAnvil)
beforeAll(async () => {
  await chain.token('configure', ['USDC', '2', 18], payer)
  await chain.token('mint', [payer.address, 10n ** 20n], payer)
})
const env = { ...settlerEnv, X402_ASSET_DECIMALS: '18' }
const shop = started(() => openShop(chain.url, { env }))

function ask(headers: Record<string, string>) {
  return fetch(freshUrl(shop), { headers })
}

test('every form of the 402 asks for the price in the token’s own units', async () => {
  const response = await fetch(freshUrl(shop))
  const required = fromBase64(response.headers.get('payment-required'))
  expect(required['accepts']).toMatchObject([{ amount: String(cent) }])
  expect(await response.json()).toMatchObject({
    accepts: [{ maxAmountRequired: String(cent) }],
    transfer: { amount: String(cent), amountDecimal: '0.01', decimals: 18 },
  })
})

test('a transfer of the price buys a call, and a millionth of a cent less does not', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  const full = await chain.transfer(shopkeeper.address, cent)
  expect(await verdictOf(await payWith(freshUrl(shop), full))).toBe('200')
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(cent)
  const short = await chain.transfer(shopkeeper.address, cent - 1n)
  expect(await verdictOf(await payWith(freshUrl(shop), short))).toBe('402 payment_insufficient')
})

test('what a transfer holds beyond the price is credit of the same worth, and no more', async () => {
  const txHash = await chain.transfer(shopkeeper.address, 2n * cent + 5n)
  const first = await payWith(freshUrl(shop), txHash)
  expect([first.status, first.headers.get('x-payment-credit')]).toEqual([200, '0.01'])
  async function draw() {
    const url = freshUrl(shop)
    const proof = await proofHeader({ url, txHash, signer: payer })
    return verdictOf(await payWith(url, txHash, { 'x-payment-proof': proof }))
  }
  expect(await draw()).toBe('200')
  expect(await draw()).toBe('402 payment_already_used')
})

test('x402 version 1, version 2 and MPP move the price in the token’s own units', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  function signed() {
    return signAuthorization({ value: cent })
  }
  expect(await verdictOf(await ask(v1Header(await signed())))).toBe('200')
  const accepted = { amount: String(cent) }
  expect(await verdictOf(await ask(v2Header(await signed(), { accepted })))).toBe('200')
  const methods = [evm.charge({ account: payer, authorization: { name: 'USDC', version: '2' } })]
  const mpp = Mppx.create({ polyfill: false, methods })
  expect((await mpp.fetch(freshUrl(shop))).status).toBe(200)
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(3n * cent)
})

test.each([
  ['10000, the price of a token of six decimals', 10_000n],
  ['one unit less than the price', cent - 1n],
  ['one unit more, which the ledger could not write down exactly', cent + 1n],
])('an authorization of %s is refused, and nothing moves', async (_, value) => {
  const before = await chain.balanceOf(shopkeeper.address)
  const verdict = await verdictOf(await ask(v1Header(await signAuthorization({ value }))))
  expect(verdict).toBe('402 invalid_exact_evm_payload_authorization_value')
  expect(await chain.balanceOf(shopkeeper.address)).toBe(before)
})

test('what a wallet has promised is compared with what it holds in the same units', async () => {
  await chain.token('mint', [stranger.address, 3n * (cent / 2n) - 1_000_000_000n], payer)
  function signed() {
    return signAuthorization({ signer: stranger, value: cent })
  }
  const headers = [v1Header(await signed()), v1Header(await signed())]
  const verdicts = await Promise.all(headers.map(async (each) => verdictOf(await ask(each))))
  expect(verdicts.toSorted()).toEqual(['200', '402 insufficient_funds'])
})

describe('money', () => {
  test('is written as people write it', () => {
    const rows = cases.rows as [number, string][]
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

test('signatures of many at once are checked in several turns, and a broken one holds up none', async () => {
  const signer = privateKeyToAccount(`0x${'45'.repeat(32)}`)
  const signature = await signer.signMessage({ message: 'a' })
  const broken = `0x${'00'.repeat(64)}1b` as const
  const { value, turns } = await watchEventLoop(() =>
    Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        isSignedByKey(signer.address, hashMessage('a'), index % 2 === 0 ? signature : broken),
      ),
    ),
  )
  expect(value).toEqual(Array.from({ length: 60 }, (_, index) => index % 2 === 0))
  expect(turns).toBeGreaterThan(3)
})

test('an answer without end is read up to its limit, over HTTP too', async () => {
  const flood = floodingAnswer()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => flood.response })
  const response = await fetch(server.url)
  await expect(readJson(response, 65_536)).rejects.toThrow('more than 65536 bytes')
  await Bun.sleep(500)
  expect(flood.sentMb()).toBeLessThan(64)
  await server.stop(true)
})

test('JSON that comes a byte at a time is read', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ a: 'ü'.repeat(10_000) }))
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  expect(await readJson(new Response(body), 65_536)).toEqual({ a: 'ü'.repeat(10_000) })
})

test.each(['', '{', '<html>'])('"%s" is no JSON', async (text) => {
  await expect(readJson(new Response(text), 100)).rejects.toThrow()
})

const secret = '0123456789abcdef0123456789abcdef'
/** The time limit of an endpoint that does not answer; the others have far more than they need. */
const timeoutMs = 200
const patienceMs = 60_000

const servers = new Map<string, () => Response | Promise<Response>>([
  ['refuses the key', () => new Response(`no account ${secret}`, { status: 401 })],
  ['answers a page', () => new Response('<html>')],
  ['answers nothing in time', () => new Promise(() => {})],
  [
    'repeats its URL',
    () =>
      Response.json({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32005, message: `over quota: https://rpc.example/v3/${secret}` },
      }),
  ],
  ['answers too much', () => new Response(`"${'a'.repeat(3_000_000)}"`)],
])
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const fault = decodeURIComponent(new URL(request.url).pathname.slice(1).split('/')[0] ?? '')
    return servers.get(fault)?.() ?? new Response(null, { status: 404 })
  },
})
afterAll(() => provider.stop(true))

/** The message about an endpoint at this URL in the log, the operator's area and a caller's 503. */
async function failureAt(url: string, limitMs = patienceMs): Promise<string> {
  const failed = createEndpoint(url, limitMs)('eth_chainId', [])
  return await failed.then(
    () => 'no failure',
    (error: Error) => error.message,
  )
}

describe('a failing RPC endpoint is told in one line without its URL, which holds the key of an account', () => {
  test.each([
    ['refuses the key', 'answers with HTTP status 401'],
    ['answers a page', 'answers no JSON-RPC'],
    ['answers nothing in time', `has not answered within ${timeoutMs} ms`],
    ['repeats its URL', 'over quota: https://rpc.example/v3/…'],
    ['answers too much', 'answers with too many bytes'],
  ])('where it %s', async (fault, said) => {
    const url = `http://127.0.0.1:${provider.port}/${encodeURIComponent(fault)}/${secret}`
    expect(await failureAt(url, fault === 'answers nothing in time' ? timeoutMs : patienceMs)).toBe(said)
  })

  test('where nothing listens', async () => {
    const expected = 'cannot be reached: nothing listens there'
    expect(await failureAt(`http://127.0.0.1:1/v3/${secret}`)).toBe(expected)
  })

  test('where no name server knows its host', async () => {
    const said = await failureAt(`http://nosuch.invalid/v3/${secret}`)
    expect(said).toStartWith('cannot be reached: ')
    expect(said).not.toContain(secret)
  })
})
