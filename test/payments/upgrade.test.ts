import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { concat, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { startService, type TestService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { openTestStore } from '../support/test-store.ts'
import { otherPayer, payer, settlerEnv, shopkeeper, startAnvil, stranger, usdc } from './support/anvil.ts'
import { payWith, proofHeader, verdictOf } from './support/pay.ts'
import { signAuthorization, v1Header } from './support/sign.ts'
import { patientEnv, walletEnv } from './support/wallet-env.ts'

const price = 10_000_000n

function settings() {
  return {
    ...walletEnv(chain.url),
    ...patientEnv,
    ...settlerEnv,
    X402_WAIT_MS: '500',
    X402_POLL_MS: '50',
    X402_CONFIRMATIONS_HIGH: '1',
    KEYS_PER_IP_PER_DAY: '50',
  }
}

const chain = started(startAnvil)
const server = started(() => startService({ env: settings() }))
/** A server on which a payment lifts quotas for thirty days. */
const monthly = started(() => startService({ env: { ...settings(), UPGRADE_DAYS: '30' } }))

async function newKey({ url }: TestService): Promise<string> {
  const { id } = (await (await fetch(`${url}/api/key`)).json()) as { id: string }
  return id
}

async function planOf({ url }: TestService, id: string): Promise<string> {
  const { plan } = (await (await fetch(`${url}/api/usage?key=${id}`)).json()) as { plan: string }
  return plan
}

function pay() {
  return chain.transfer(shopkeeper.address, price)
}
function upgradeUrl({ url }: TestService, id: string) {
  return `${url}/api/upgrade?key=${id}`
}

/** With the payer's proof, which this price needs. */
async function upgrade(at: TestService, id: string, txHash: string): Promise<Response> {
  const url = upgradeUrl(at, id)
  return fetch(url, { method: 'POST', headers: await provenHeaders(url, txHash) })
}

async function provenHeaders(url: string, txHash: string, signer = payer) {
  const proof = await proofHeader({ url, txHash, signer, method: 'POST' })
  return { 'x-payment': txHash, 'x-payment-proof': proof }
}

describe('an upgrade', () => {
  test('is there when its money has moved and no moment before, and its failure undoes no other', async () => {
    const id = await newKey(server)
    const txHash = await pay()
    const headers = v1Header(await signAuthorization({ value: price, signer: otherPayer }))
    // Another server of the same database, which does not wait for long.
    const env = { ...settings(), X402_SETTLE_TIMEOUT_MS: '2000' }
    const hasty = await startService({ dataDir: server.dataDir, env })
    await chain.client.setAutomine(false)
    try {
      const waiting = fetch(upgradeUrl(hasty, id), { method: 'POST', headers })
      while ((await chain.client.getTxpoolStatus()).pending === 0) await Bun.sleep(20)
      expect(await planOf(server, id)).toBe('free')
      expect((await upgrade(server, id, txHash)).status).toBe(200)
      expect(await verdictOf(await waiting)).toStartWith('503')
      expect(await planOf(server, id)).toBe('unlimited')
    } finally {
      await chain.calm()
      await hasty.stop()
    }
  })

  test('belongs to the key in the body as well', async () => {
    const [first, second] = [await newKey(server), await newKey(server)]
    const txHash = await pay()
    const headers = await provenHeaders(`${server.url}/api/upgrade`, txHash)
    function lift(key: string) {
      return fetch(`${server.url}/api/upgrade`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      })
    }
    const lifted = await lift(first)
    expect(await lifted.json()).toMatchObject({ key: first, plan: 'unlimited' })
    expect(await verdictOf(await lift(second))).toBe('402 payment_already_used')
    expect(await planOf(server, second)).toBe('free')
    expect(await (await lift(first)).json()).toMatchObject({ key: first })
  })

  test('of a revoked key takes no money', async () => {
    const id = await newKey(server)
    const store = await openTestStore({ path: join(server.dataDir, 'mintmark.sqlite') })
    await store.keys.update(id, { revokedAtMs: Date.now() })
    await store.close()
    const txHash = await pay()
    expect(await verdictOf(await upgrade(server, id, txHash))).toBe('404 unknown_key')
    expect(await verdictOf(await payWith(`${server.url}/api/og?title=Kept`, txHash))).toBe('200')
  })

  test('of a key that is lifted for ever takes no money, and tells what is so', async () => {
    const id = await newKey(server)
    expect((await upgrade(server, id, await pay())).status).toBe(200)
    const txHash = await pay()
    const again = await upgrade(server, id, txHash)
    expect([again.status, again.headers.get('x-payment-status')]).toEqual([200, 'not-charged'])
    expect(await again.json()).toEqual({ key: id, plan: 'unlimited', unlimited_until: null })
    expect(await verdictOf(await payWith(`${server.url}/api/og?title=Unspent`, txHash))).toBe('200')
  })

  test('adds its days to those that are left', async () => {
    const id = await newKey(monthly)
    const days: number[] = []
    for (let count = 0; count < 2; count += 1) {
      const body = (await (await upgrade(monthly, id, await pay())).json()) as { unlimited_until: string }
      days.push((Date.parse(body.unlimited_until) - Date.now()) / 86_400_000)
    }
    expect(days.map(Math.round)).toEqual([30, 60])
  })
})

describe('whoever sees the hash first', () => {
  function post(url: string, headers: Record<string, string>, body?: object) {
    return fetch(url, {
      method: 'POST',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  test('cannot lift a key with it: the hash alone buys no upgrade, and its payer’s proof does', async () => {
    const [theirs, ours] = [await newKey(server), await newKey(server)]
    const txHash = await pay()
    const url = upgradeUrl(server, theirs)
    expect(await verdictOf(await post(url, { 'x-payment': txHash }))).toBe('402 proof_required')
    const stolen = await provenHeaders(url, txHash, stranger)
    expect(await verdictOf(await post(url, stolen))).toBe('402 invalid_proof')
    expect(await planOf(server, theirs)).toBe('free')
    expect(await verdictOf(await upgrade(server, ours, txHash))).toBe('200')
    expect(await planOf(server, ours)).toBe('unlimited')
  })

  test('is told by the 402 how to prove it, in words that can be signed as they stand', async () => {
    const id = await newKey(server)
    const url = upgradeUrl(server, id)
    const { transfer } = (await (await post(url, {})).json()) as { transfer: { proof: ProofTerms } }
    expect(transfer.proof).toMatchObject({ header: 'X-Payment-Proof', required: true })
    expect(transfer.proof.how).toContain('dataSuffix')
    const txHash = await pay()
    const issued = Math.floor(Date.now() / 1000)
    const message = transfer.proof.message.replace('0x<txHash>', txHash).replace('<t>', String(issued))
    const proof = `t=${issued},sig=${await payer.signMessage({ message })}`
    const lifted = await post(url, { 'x-payment': txHash, 'x-payment-proof': proof })
    expect(await verdictOf(lifted)).toBe('200')
  })

  test('cannot spend calldata that names another’s key on their own, wherever the key is named', async () => {
    const [ours, theirs] = [await newKey(server), await newKey(server)]
    const url = `${server.url}/api/upgrade`
    const { transfer } = (await (await post(url, {}, { key: ours })).json()) as {
      transfer: { proof: ProofTerms }
    }
    const data = encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 value)']),
      args: [shopkeeper.address, price],
    })
    const txHash = await chain.client.sendTransaction({
      account: payer,
      to: usdc,
      data: concat([data, transfer.proof.dataSuffix]),
    })
    await chain.mined(txHash)
    const headers = { 'x-payment': txHash }
    const refused = '402 payment_bound_to_other_request'
    expect(await verdictOf(await post(url, headers, { key: theirs }))).toBe(refused)
    expect(await verdictOf(await post(upgradeUrl(server, theirs), headers))).toBe(refused)
    expect(await verdictOf(await post(url, headers, { key: ours }))).toBe('200')
    expect([await planOf(server, ours), await planOf(server, theirs)]).toEqual(['unlimited', 'free'])
  })
})

interface ProofTerms {
  readonly dataSuffix: Hex
  readonly message: string
  readonly how: string
}
