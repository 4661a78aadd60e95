import { beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex, parseAbiItem } from 'viem'
import { randomFrom } from '../support/random.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import { otherPayer, payer, settlerEnv, shopkeeper, startAnvil, stranger, usdc } from './support/anvil.ts'
import { carrying, movingFrom, openBundler, type TokenCall } from './support/bundle.ts'
import { freshUrl, proofHeader, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { type Signed, type SignOptions, signAuthorization, v1Header, v2Header } from './support/sign.ts'

const chain = started(startAnvil)
const bundler = started(() => openBundler(chain))
beforeAll(async () => {
  for (const owner of [payer, otherPayer, shopkeeper]) {
    await chain.token('approve', [bundler.address, 10n ** 12n], owner)
  }
})
const env = { ...settlerEnv, X402_CONFIRMATIONS_HIGH: '1' }
const shop = started(() => openShop(chain.url, { env }))
/** Another one on the same database. */
const secondShop = started(() => openShop(chain.url, { env, path: shop.path }))

/** Signs one nonce twice: with the price for us, and with nothing for a friend. */
async function signTwice(value: bigint, more: SignOptions = {}) {
  const nonce = bytesToHex(randomBytes(32))
  const offered = await signAuthorization({ ...more, nonce, value })
  const carried = await signAuthorization({ ...more, nonce, value: 0n, to: stranger.address })
  return { offered, carried }
}

function offer(signed: Awaited<ReturnType<typeof signAuthorization>>) {
  return fetch(freshUrl(shop), { headers: v1Header(signed) })
}

describe('one payment on chain buys one call', () => {
  const amounts: readonly (readonly [string, bigint, number])[] = [
    ['0.01', 10_000n, 40],
    ['10.00', 10_000_000n, 5],
  ]
  for (const [price, value, count] of amounts) {
    test(`${count} nonces spent on a friend ride along with one payment of ${price}: none of them is taken for it`, async () => {
      const nonces = await Promise.all(Array.from({ length: count }, () => signTwice(value)))
      const real = await signAuthorization({ value })
      const before = await chain.balanceOf(shopkeeper.address)
      await bundler.run([...nonces.map(({ carried }) => carrying(carried)), carrying(real)])
      expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(value)
      const verdicts = []
      for (const { offered } of nonces) verdicts.push(await verdictOf(await offer(offered)))
      expect(verdicts).toEqual(nonces.map(() => '402 invalid_exact_evm_payload_authorization_used'))
      expect(await verdictOf(await offer(real))).toBe('200')
    })
  }

  test('a plain transfer beside a spent nonce is not the nonce’s own', async () => {
    const { offered, carried } = await signTwice(10_000n)
    await bundler.run([carrying(carried), movingFrom(payer.address, shopkeeper.address, 10_000n)])
    expect(await verdictOf(await offer(offered))).toBe('402 invalid_exact_evm_payload_authorization_used')
  })
})

const price = 10_000n
const people = [payer, otherPayer] as const

/** Tries to buy a card each, as many as it can think of, and says how many it was given. */
type Attempt = () => Promise<number>

interface Piece {
  readonly calls: readonly TokenCall[]
  readonly attempts: readonly Attempt[]
  /** Cards that this piece has really paid for and asks for. */
  readonly honest: number
}

let attempts = 0

/** Each attempt comes from an address of its own: how often one may try in vain is another rule. */
async function isBought(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  attempts += 1
  const client = { 'x-forwarded-for': `10.0.${attempts >> 8}.${attempts & 255}` }
  const at = attempts % 2 === 0 ? url : url.replace(shop.url, secondShop.url)
  return (await verdictOf(await fetch(at, { headers: { ...headers, ...client } }))) === '200' ? 1 : 0
}

/** Offers one authorization in both versions, on several cards. */
function offering(signed: Signed): readonly Attempt[] {
  return [v1Header, v2Header, v1Header].map((header) => () => isBought(freshUrl(shop), header(signed)))
}

/** Everything that a bundle may carry: money for us, for friends, from us to us, or none at all. */
function pieceMakers({ pick }: ReturnType<typeof randomFrom>) {
  function signedTo(to: Hex, value: bigint, more: SignOptions) {
    return signAuthorization({ ...more, to, value })
  }
  return {
    async honest(): Promise<Piece> {
      const signed = await signedTo(shopkeeper.address, price, { signer: pick(people) })
      return { calls: [carrying(signed)], attempts: offering(signed), honest: 1 }
    },
    async spentOnAFriend(): Promise<Piece> {
      const signing = { signer: pick(people), nonce: bytesToHex(randomBytes(32)) }
      const offered = await signedTo(shopkeeper.address, price, signing)
      const carried = await signedTo(stranger.address, pick([0n, price]), signing)
      return { calls: [carrying(carried)], attempts: offering(offered), honest: 0 }
    },
    async spentOnNothing(): Promise<Piece> {
      const signing = { signer: pick(people), nonce: bytesToHex(randomBytes(32)) }
      const offered = await signedTo(shopkeeper.address, price, signing)
      const carried = await signedTo(shopkeeper.address, pick([0n, price - 1n, 2n * price]), signing)
      return { calls: [carrying(carried)], attempts: offering(offered), honest: 0 }
    },
    async fromOurselves(): Promise<Piece> {
      const signed = await signedTo(shopkeeper.address, price, { signer: shopkeeper })
      return { calls: [carrying(signed)], attempts: offering(signed), honest: 0 }
    },
    async plain(): Promise<Piece> {
      const from = pick([...people, shopkeeper]).address
      const to = pick([shopkeeper, shopkeeper, stranger]).address
      return { calls: [movingFrom(from, to, pick([0n, price, price]))], attempts: [], honest: 0 }
    },
    async notCarried(): Promise<Piece> {
      const signed = await signedTo(shopkeeper.address, price, { signer: pick(people) })
      return { calls: [], attempts: offering(signed), honest: 1 }
    },
  }
}

/** The bundle's own hash, bare and with proofs of everybody. */
function hashAttempts(txHash: Hex): readonly Attempt[] {
  function bare() {
    return isBought(freshUrl(shop), { 'x-payment': txHash })
  }
  const proven = people.flatMap((signer) => [
    async () => {
      const url = freshUrl(shop)
      const proof = await proofHeader({ url, txHash, signer })
      return await isBought(url, { 'x-payment': txHash, 'x-payment-proof': proof })
    },
  ])
  return [bare, ...proven, bare, ...proven]
}

test('over random bundles no more is delivered than was moved, each log pays once, and who paid is served', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomFrom(seed)
    const makers = Object.values(pieceMakers(random))
    const pieces: Piece[] = []
    for (let left = 1 + random.below(6); left > 0; left -= 1) pieces.push(await random.pick(makers)())
    const before = await chain.balanceOf(shopkeeper.address)
    const txHash = await bundler.run(pieces.flatMap(({ calls }) => calls))
    const attempts = [...pieces.flatMap((piece) => piece.attempts), ...hashAttempts(txHash)]
    const delivered = await inAnyOrder(attempts, random)
    const moved = (await chain.balanceOf(shopkeeper.address)) - before
    const honest = pieces.reduce((sum, piece) => sum + piece.honest, 0)
    expect({ seed, isCovered: BigInt(delivered) * price <= moved }).toEqual({ seed, isCovered: true })
    expect({ seed, areServed: delivered >= honest }).toEqual({ seed, areServed: true })
  }
  await expectLogsToCoverPayments()
})

test('nor while the bundle is on its way and both race for every nonce', async () => {
  for (let seed = 101; seed <= 130; seed += 1) {
    const random = randomFrom(seed)
    const makers = Object.values(pieceMakers(random))
    const pieces: Piece[] = []
    for (let left = 1 + random.below(4); left > 0; left -= 1) pieces.push(await random.pick(makers)())
    const fromBlock = (await chain.client.getBlockNumber()) + 1n
    const attempts = pieces.flatMap((piece) => piece.attempts)
    // The bundle reverts where a nonce of it was settled first.
    const [txHash, first] = await Promise.all([
      bundler.run(pieces.flatMap(({ calls }) => calls)).catch(() => undefined),
      inAnyOrder(attempts, random),
    ])
    const again = [...attempts, ...attempts, ...(txHash === undefined ? [] : hashAttempts(txHash))]
    const delivered = first + (await inAnyOrder(again, random))
    await Promise.all([shop.payments.reconcile(), secondShop.payments.reconcile()])
    const moved = await receivedSince(fromBlock)
    expect({ seed, isCovered: BigInt(delivered) * price <= moved }).toEqual({ seed, isCovered: true })
  }
  await expectLogsToCoverPayments()
})

/** The amount that others sent us, without our own transfers. */
async function receivedSince(fromBlock: bigint): Promise<bigint> {
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const logs = await chain.client.getLogs({
    address: usdc,
    event,
    args: { to: shopkeeper.address },
    fromBlock,
    strict: true,
  })
  return logs
    .filter(({ args }) => args.from !== shopkeeper.address)
    .reduce((sum, { args }) => sum + args.value, 0n)
}

/** Three at a time, so that they race as well. */
async function inAnyOrder(
  attempts: readonly Attempt[],
  { below }: ReturnType<typeof randomFrom>,
): Promise<number> {
  const left = attempts
    .map((attempt) => ({ attempt, rank: below(1_000_000) }))
    .sort((a, b) => a.rank - b.rank)
  let delivered = 0
  while (left.length > 0) {
    const some = await Promise.all(left.splice(0, 3).map(({ attempt }) => attempt()))
    delivered += some.reduce((sum, bought) => sum + bought, 0)
  }
  return delivered
}

/** Compares each log that the ledger has as spent with the chain. */
async function expectLogsToCoverPayments(): Promise<void> {
  const payments = await queryTestStore<{ id: string; txHash: Hex; amount: number; spent: number }>(
    shop.path,
    `select id, tx_hash as "txHash", amount_micros as amount, spent_micros as spent from payments where state = 'settled'`,
  )
  const owned = await queryTestStore<{ id: string; logIndex: number }>(
    shop.path,
    'select payment_id as id, log_index as "logIndex" from transfer_logs',
  )
  expect(payments.length).toBeGreaterThan(60)
  for (const { id, txHash, amount, spent } of payments) {
    const { logs } = await chain.client.getTransactionReceipt({ hash: txHash })
    const values = owned
      .filter((log) => log.id === id)
      .map(({ logIndex }) => BigInt(logs[logIndex]?.data ?? '0x0'))
    expect(values.reduce((sum, value) => sum + value, 0n)).toBe(BigInt(amount))
    expect(spent).toBeLessThanOrEqual(amount)
  }
}
