import { describe, expect, test } from 'bun:test'
import { type Hex, pad, toEventSelector, toHex } from 'viem'
import type { ChainLog, Receipt } from '../../src/payments/chain/answers.ts'
import { readPayments } from '../../src/payments/chain/transfers.ts'
import { startPageSite } from '../routes/support/page-site.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { shopkeeper, startAnvil } from './support/anvil.ts'
import { payWith } from './support/pay.ts'
import { patientEnv, walletEnv } from './support/wallet-env.ts'

const asset = { address: `0x${'aa'.repeat(20)}` as Hex, name: '', version: '', symbol: '', decimals: 6 }
const [ours, alice, bob] = ['11', '22', '33'].map((two) => `0x${two.repeat(20)}`) as [Hex, Hex, Hex]
const transferTopic = toEventSelector('Transfer(address,address,uint256)')
const usedTopic = toEventSelector('AuthorizationUsed(address,bytes32)')

type LogMaker = (index: number) => ChainLog

function log(topics: Hex[], data: Hex): LogMaker {
  return (index) => ({ index, address: asset.address, topics, data, blockTimeMs: undefined })
}

function moved(from: Hex, value: number, to = ours): LogMaker {
  return log([transferTopic, pad(from), pad(to)], pad(toHex(value)))
}

function used(authorizer: Hex): LogMaker {
  return log([usedTopic, pad(authorizer), pad('0x1')], '0x')
}

/** The payers with what they paid, or the reason why nobody did. */
function read(...makers: readonly LogMaker[]): string | readonly (readonly [Hex, number])[] {
  const receipt: Receipt = {
    txHash: pad('0x1'),
    succeeded: true,
    blockNumber: 1,
    blockHash: pad('0x2'),
    logs: makers.map((make, index) => make(index)),
    cost: { gasUsed: 0n, gasPriceWei: 0n, feeWei: 0n },
  }
  const paid = readPayments(receipt, { asset, payTo: ours })
  return typeof paid === 'string'
    ? paid
    : paid.map(({ payer, amountMicros }) => [payer, amountMicros] as const)
}

const refused = 'payment_made_by_authorization'

describe('of an authorization only its own transfer is left out', () => {
  test.each([
    ['the one after it', [moved(alice, 1), used(alice), moved(alice, 2), moved(alice, 4)], [[alice, 5]]],
    [
      'the one before it, where another payer’s follows',
      [moved(alice, 1), used(alice), moved(bob, 2)],
      [[bob, 2]],
    ],
    ['the one before it, at the end', [moved(bob, 1), moved(alice, 2), used(alice)], [[bob, 1]]],
    [
      'of both payers, one after the other',
      [used(alice), moved(alice, 1), used(bob), moved(bob, 2)],
      refused,
    ],
    [
      'once, where the token logs the transfer first',
      [moved(alice, 1), used(alice), moved(alice, 2), used(alice)],
      refused,
    ],
    ['one that went elsewhere', [moved(bob, 1), used(alice), moved(alice, 2, bob)], [[bob, 1]]],
    ['one of nothing', [used(alice), moved(alice, 0, bob), moved(alice, 4)], [[alice, 4]]],
  ] as const)('%s', (_, logs, expected) => {
    expect(read(...logs)).toEqual(expected as never)
  })

  test('and without one the transaction is refused whole', () => {
    expect(read(moved(bob, 1), used(alice), moved(bob, 2))).toBe(refused)
    expect(read(moved(alice, 1), moved(bob, 1), used(alice))).toBe(refused)
    expect(read(used(alice), used(bob), moved(alice, 1), moved(bob, 2))).toBe(refused)
    expect(read(used(alice))).toBe(refused)
  })
})

test('each payer’s transfers are added up, and ours are none', () => {
  expect(read(moved(bob, 1), moved(alice, 2), moved(ours, 4), moved(bob, 8))).toEqual([
    [bob, 9],
    [alice, 2],
  ])
  expect(read(moved(ours, 4))).toBe('payment_no_transfer')
  expect(read(moved(alice, 4, bob))).toBe('payment_wrong_recipient')
})

const chain = started(startAnvil)
const site = started(startPageSite)
const server = started(() => startService({ env: { ...site.env, ...walletEnv(chain.url), ...patientEnv } }))

test('a payment buys the card of a page, and no card in its place', async () => {
  const txHash = await chain.transfer(shopkeeper.address, 20_000n)
  const url = `${server.url}/api/card?${new URLSearchParams({ page: site.url('/') })}`
  for (let tries = 0; tries < 2; tries += 1) {
    const { status, headers } = await payWith(url, txHash)
    expect([status, headers.get('x-card-source')]).toEqual([200, 'fallback'])
    expect(headers.get('x-payment-response')).toBeNull()
  }
  expect((await payWith(`${url}&fallback=error`, txHash)).status).toBe(502)
  site.setPage('/', '<title>Tides of March</title>')
  server.clock.aheadMs += 61_000
  const paid = await payWith(url, txHash)
  expect([paid.status, paid.headers.get('x-card-source')]).toEqual([200, 'page'])
  expect(paid.headers.get('x-payment-response')).toBeTruthy()
  const other = `${server.url}/api/card?${new URLSearchParams({ page: site.url('/'), theme: 'paper' })}`
  expect((await payWith(other, txHash)).status).toBe(402)
})
