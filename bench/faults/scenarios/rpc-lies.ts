import { encodeFunctionData, erc20Abi } from 'viem'
import { payer, shopkeeper, usdc } from '../../../test/payments/support/anvil.ts'
import { signAuthorization, v1Header } from '../../../test/payments/support/authorize.ts'
import { freshPath, proofHeader } from '../../../test/payments/support/pay.ts'
import { altered, type Fault } from '../../../test/payments/support/rpc-proxy.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import {
  askUntilKnown,
  cardPrice,
  checkCovered,
  type Market,
  openMarket,
  verdictOf,
} from '../support/market.ts'
import type { FaultServer } from '../support/server.ts'

function result(value: unknown) {
  return Response.json({ jsonrpc: '2.0', id: 1, result: value })
}

/** Faults of an RPC endpoint, by name. */
const lies: Readonly<Record<string, Fault>> = {
  'an error for everything': () => new Response('oops', { status: 500 }),
  garbage: () => new Response('<html>', { status: 200 }),
  'no receipts': (method) => (method === 'eth_getTransactionReceipt' ? result(null) : undefined),
  'another chain': (method) => (method === 'eth_chainId' ? result('0x1') : undefined),
  'an answer after seconds': () => Bun.sleep(2500).then(() => undefined),
  'an old head': (method) => (method === 'eth_blockNumber' ? result('0x1') : undefined),
  limits: () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } }),
  'nothing sent': (method) =>
    method === 'eth_sendRawTransaction' ? new Response(null, { status: 502 }) : undefined,
}

/** Payments offered while the endpoint lies are good once it does not. */
export const rpcLies: Scenario = {
  name: 'rpc-lies',
  title: 'the RPC endpoint lies or fails',
  tried:
    'transfers and authorizations offered while it answers nothing, garbage, late, from the past or from another chain; offered again afterwards',
  async run(context) {
    const market = await openMarket(context)
    const server = await context.startServer({ env: { ...market.env, X402_RPC_TIMEOUT_MS: '1500' } })
    const all = Object.entries(lies)
    let delivered = 0
    for (const [name, fault] of context.isQuick ? all.slice(0, 3) : all)
      delivered += await offerWhile(context, market, server, name, fault)
    delivered += await disagree(context, market)
    await checkCovered(context, market, delivered)
  },
}

/** Two endpoints must agree, and one of them leaves the transfers out of its receipts. */
async function disagree(context: FaultContext, market: Market): Promise<number> {
  const { chain, proxy, env } = market
  const server = await context.startServer({
    env: { ...env, X402_RPC_URLS: `${proxy.url},${chain.url}`, X402_RPC_QUORUM: '2' },
  })
  return offerWhile(context, market, server, 'a neighbour that disagrees', (method, call) =>
    method === 'eth_getTransactionReceipt'
      ? altered(chain.url, call, (receipt: object | null) => receipt && { ...receipt, logs: [] })
      : undefined,
  )
}

/** Answers that are allowed while the outcome is unknown: come back later, or the transaction is not there yet. */
const harmless = /^(200|503 .*|402 payment_(not_found|pending|unconfirmed))$/

async function offerWhile(
  context: FaultContext,
  { chain, proxy }: Market,
  { url }: FaultServer,
  name: string,
  fault: Fault,
): Promise<number> {
  const transfer = await chain.transfer(shopkeeper.address, cardPrice)
  const validBefore = Math.floor(Date.now() / 1000) + 3000
  const offers = [{ 'x-payment': transfer }, v1Header(await signAuthorization({ validBefore }))].map(
    (headers) => ({ headers, url: url + freshPath('Lie') }),
  )
  proxy.breakWith(fault)
  context.count('lies')
  await Promise.all(
    offers.map(async (offer) => {
      const verdict = verdictOf(await ask(context, offer.url, { headers: offer.headers }))
      context.count('payments')
      if (!harmless.test(verdict)) context.mistake(`with ${name} a good payment was answered ${verdict}`)
    }),
  )
  proxy.heal()
  // The server waits a moment before it looks again for a transaction that it did not find.
  await Bun.sleep(1600)
  for (const offer of offers) {
    const verdict = await askUntilKnown(context, offer.url, offer.headers)
    if (verdict !== '200') context.lose(`a payment offered with ${name}, answered ${verdict} in the end`)
  }
  return offers.length
}

/** Credit that was there stays, whatever one answer says; a block that comes again brings its payments back. */
export const creditReorged: Scenario = {
  name: 'credit-reorged',
  title: 'a null receipt, and a reorg that mines the same transaction again',
  tried: 'credit drawn while the endpoint knows no receipt, and after the block vanished and came again',
  async run(context) {
    const market = await openMarket(context)
    const server = await context.startServer({ env: market.env })
    for (let round = 0; round < context.times(3, 1); round++) {
      await lagBehind(context, market, server)
      await mineAgain(context, market, server)
    }
  },
}

async function lagBehind(
  context: FaultContext,
  { chain, proxy }: Market,
  server: FaultServer,
): Promise<void> {
  const txHash = await chain.transfer(shopkeeper.address, 3n * cardPrice)
  await draw(context, server, txHash)
  proxy.breakWith((method) => (method === 'eth_getTransactionReceipt' ? result(null) : undefined))
  await Bun.sleep(context.times(3000, 2000))
  const url = server.url + freshPath('Lag')
  await ask(context, url, { headers: await proven(url, txHash) })
  proxy.heal()
  context.count('null receipts')
  const verdict = await draw(context, server, txHash)
  if (verdict !== '200') context.lose(`credit after a null receipt, answered ${verdict}`)
}

async function mineAgain(context: FaultContext, { chain }: Market, server: FaultServer): Promise<void> {
  const raw = await signedTransfer(chain, 3n * cardPrice)
  const before = await chain.client.snapshot()
  const txHash = await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await chain.mined(txHash)
  await draw(context, server, txHash)
  await chain.rewind(before)
  await chain.client.mine({ blocks: 2 })
  const url = server.url + freshPath('Gone')
  const gone = verdictOf(await ask(context, url, { headers: await proven(url, txHash) }))
  context.expect(gone !== '200', 'credit of a vanished block was spent')
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await chain.mined(txHash)
  await chain.client.mine({ blocks: 2 })
  context.count('reorgs')
  const verdict = await draw(context, server, txHash)
  if (verdict !== '200') context.lose(`credit after a reorg, answered ${verdict}`)
}

async function signedTransfer(chain: Market['chain'], value: bigint): Promise<`0x${string}`> {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [shopkeeper.address, value],
  })
  const request = await chain.client.prepareTransactionRequest({
    account: payer,
    to: usdc,
    data,
    gas: 100_000n,
  })
  return payer.signTransaction(request as never)
}

/** Draws on what a transfer holds, asking again while it is not known or not taken back yet. */
async function draw(context: FaultContext, { url }: FaultServer, txHash: string): Promise<string> {
  let verdict = ''
  const deadlineMs = performance.now() + 8000
  while (verdict !== '200' && performance.now() < deadlineMs) {
    const target = url + freshPath('Draw')
    verdict = await askUntilKnown(context, target, await proven(target, txHash))
    if (verdict !== '200') await Bun.sleep(500)
  }
  return verdict
}

async function proven(url: string, txHash: string): Promise<Record<string, string>> {
  return { 'x-payment': txHash, 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
}
