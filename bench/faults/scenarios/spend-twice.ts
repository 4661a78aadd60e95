import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex } from 'viem'
import { proofText } from '../../../src/payments/wire/request-binding.ts'
import { chainId, otherPayer, payer, shopkeeper, stranger } from '../../../test/payments/support/anvil.ts'
import { signAuthorization, v1Header, v2Header } from '../../../test/payments/support/authorize.ts'
import { carrying, movingFrom, openBundler, type TokenCall } from '../../../test/payments/support/bundle.ts'
import { freshPath, proofHeader } from '../../../test/payments/support/pay.ts'
import { randomFrom } from '../../../test/support/random.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import { askUntilKnown, cardPrice, checkCovered, openMarket, verdictOf } from '../support/market.ts'
import type { FaultServer } from '../support/server.ts'

type Headers = Readonly<Record<string, string>>
type Random = ReturnType<typeof randomFrom>

/** Each transfer on chain pays once, however many nonces, hashes and proofs are shown for it. */
export const spendTwice: Scenario = {
  name: 'spend-twice',
  title: 'one payment offered many times',
  tried:
    'bundles of spent nonces, payments and plain transfers in one transaction; every nonce, hash and proof offered several times at once',
  async run(context) {
    const market = await openMarket(context)
    const bundler = await openBundler(market.chain)
    for (const owner of [payer, otherPayer])
      await market.chain.token('approve', [bundler.address, 10n ** 12n], owner)
    const env = { ...market.env, TRUSTED_PROXIES: '127.0.0.1/32' }
    const server = await context.startServer({ env })
    const random = randomFrom(2)
    let delivered = 0
    for (let round = 0; round < context.times(60, 4); round++) {
      const pieces = await Promise.all(Array.from({ length: 1 + random.below(8) }, () => pieceOf(random)))
      const txHash = await bundler.run(pieces.flatMap(({ calls }) => calls))
      context.count('bundles')
      const offers = pieces.flatMap((piece) => piece.offers)
      const sold = await offerAll(context, server, [...offers, ...offers], txHash)
      context.lose('a payment that bought nothing', pieces.filter(({ isPaid }) => isPaid).length - sold)
      delivered += sold
      await checkCovered(context, market, delivered)
    }
    context.count('cards bought', delivered)
  },
}

interface Piece {
  readonly calls: readonly TokenCall[]
  readonly offers: readonly Headers[]
  /** Whether it carries the very authorization that is offered. */
  readonly isPaid: boolean
}

async function pieceOf(random: Random): Promise<Piece> {
  const signer = random.pick([payer, otherPayer])
  const nonce = bytesToHex(randomBytes(32))
  const offered = await signAuthorization({ signer, nonce, value: cardPrice })
  const offers = [v1Header(offered), v2Header(offered)]
  function spend(to: Hex, value: bigint) {
    return signAuthorization({ signer, nonce, to, value })
  }
  switch (random.below(5)) {
    case 0:
      return { calls: [carrying(offered)], offers, isPaid: true }
    case 1:
      return { calls: [carrying(await spend(stranger.address, 0n))], offers, isPaid: false }
    case 2:
      return {
        calls: [carrying(await spend(shopkeeper.address, random.pick([0n, cardPrice - 1n])))],
        offers,
        isPaid: false,
      }
    case 3:
      return { calls: [movingFrom(signer.address, shopkeeper.address, cardPrice)], offers: [], isPaid: false }
    default:
      return { calls: [carrying(await spend(stranger.address, cardPrice))], offers, isPaid: false }
  }
}

async function offerAll(
  context: FaultContext,
  { url }: FaultServer,
  offers: readonly Headers[],
  txHash: Hex,
): Promise<number> {
  const proofs = [payer, otherPayer].map(
    (signer) =>
      async (target: string): Promise<Headers> => ({
        'x-payment': txHash,
        'x-payment-proof': await proofHeader({ url: target, txHash, signer }),
      }),
  )
  const makers = [
    ...offers.map((headers) => async () => headers),
    async () => ({ 'x-payment': txHash }),
    ...proofs,
  ]
  let delivered = 0
  await inParallel(makers.length, 4, async (index) => {
    const target = url + freshPath('Twice')
    const headers = { ...(await makers[index]?.(target)), 'x-forwarded-for': nextAddress() }
    context.count('offers')
    if (verdictOf(await ask(context, target, { headers })) === '200') delivered += 1
  })
  return delivered
}

let addresses = 0

/** Who offers what is worth nothing from one address has to wait: the thief has many. */
function nextAddress(): string {
  addresses += 1
  return `198.18.${addresses >> 8}.${addresses & 255}`
}

/** Who sees a transfer's hash first cannot buy the dear things with it: its payer must say that it is for them. */
export const frontRun: Scenario = {
  name: 'front-run',
  title: 'a stranger shows a transfer’s hash first',
  tried: 'upgrades asked for with the bare hash of a transfer, then by its payer with a proof',
  async run(context) {
    const { chain, env } = await openMarket(context)
    const server = await context.startServer({ env })
    for (let round = 0; round < context.times(5, 1); round++) {
      const [thief, owner] = await Promise.all([newKey(context, server), newKey(context, server)])
      const txHash = await chain.transfer(shopkeeper.address, 10_000_000n)
      context.count('upgrades')
      const stolen = await askUntilKnown(context, thief, { 'x-payment': txHash }, { method: 'POST' })
      context.expect(stolen !== '200', 'a stranger’s hash lifted a quota')
      const headers = { 'x-payment': txHash, 'x-payment-proof': await upgradeProof(owner, txHash) }
      const verdict = await askUntilKnown(context, owner, headers, { method: 'POST' })
      if (verdict !== '200') context.lose(`the payer’s own upgrade, answered ${verdict}`)
    }
  },
}

async function newKey(context: FaultContext, { url }: FaultServer): Promise<string> {
  const answer = await ask(context, `${url}/api/key`)
  return `${url}/api/upgrade?key=${JSON.parse(answer?.text ?? '{}').id}`
}

/** Signed by the payer, for this request and no other. */
async function upgradeProof(url: string, txHash: Hex): Promise<string> {
  const issuedSeconds = Math.floor(Date.now() / 1000)
  const request = { method: 'POST', url }
  const message = proofText({ txHash, chainId, payTo: shopkeeper.address, request, issuedSeconds })
  return `t=${issuedSeconds},sig=${await payer.signMessage({ message })}`
}
