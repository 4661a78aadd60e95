import { beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex, type LocalAccount } from 'viem'
import { randomFrom } from '../support/random.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import {
  chainId,
  otherPayer,
  payer,
  settler,
  settlerEnv,
  shopkeeper,
  startAnvil,
  stranger,
} from './support/anvil.ts'
import { carrying, movingFrom, openBundler, type TokenCall } from './support/bundle.ts'
import { freshUrl, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { fromBase64, signAuthorization, v1Header } from './support/sign.ts'

const chain = started(startAnvil)
const bundler = started(() => openBundler(chain))
beforeAll(async () => {
  for (const owner of [payer, otherPayer, shopkeeper, stranger])
    await chain.token('approve', [bundler.address, 10n ** 12n], owner)
})
const shop = started(() => openShop(chain.url, { env: settlerEnv }))

const price = 10_000n
const people = [payer, otherPayer, stranger]
const alreadyUsed = '402 payment_already_used'

function from(account: { readonly address: Hex }, value = price, to: Hex = shopkeeper.address) {
  return movingFrom(account.address, to, value)
}

async function bare(txHash: string, url = freshUrl(shop)): Promise<string> {
  return verdictOf(await payWith(url, txHash))
}

async function prove(txHash: string, signer: LocalAccount, url = freshUrl(shop)): Promise<Response> {
  const proof = await proofHeader({ url, txHash: txHash.toLowerCase(), signer })
  return await payWith(url, txHash, { 'x-payment-proof': proof })
}

async function proven(txHash: string, signer: LocalAccount, url = freshUrl(shop)): Promise<string> {
  return verdictOf(await prove(txHash, signer, url))
}

describe('two payers in one transaction', () => {
  test('each buys with a proof what that payer sent, in whatever order, and neither gets the other’s', async () => {
    for (const [first, second] of [
      [payer, otherPayer],
      [otherPayer, payer],
    ] as const) {
      const txHash = await bundler.run([from(first, 20_000n), from(second), from(first)])
      expect(await bare(txHash)).toBe('402 proof_required')
      expect(await proven(txHash, second)).toBe('200')
      expect(await proven(txHash, second)).toBe(alreadyUsed)
      expect(await bare(txHash)).toBe('402 proof_required')
      for (let call = 0; call < 3; call += 1) expect(await proven(txHash, first)).toBe('200')
      expect(await proven(txHash, first)).toBe(alreadyUsed)
      expect(await proven(txHash, stranger)).toBe('402 invalid_proof')
      expect(await bare(txHash)).toBe('402 proof_required')
    }
  })

  test('the 402 for a bare hash has the message that proves', async () => {
    const txHash = await bundler.run([from(payer), from(otherPayer)])
    const response = await payWith(freshUrl(shop), txHash)
    const { transfer } = (await response.json()) as { transfer: { proof: Record<string, unknown> } }
    expect(transfer.proof).toMatchObject({ required: true, message: expect.stringContaining('request: GET') })
  })

  test('the same request with the same proof gets the same bytes, and the hash in capitals is the same payment', async () => {
    const txHash = await bundler.run([from(payer, 2n * price), from(otherPayer)])
    const url = freshUrl(shop)
    const headers = { 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
    const bytes = await (await payWith(url, txHash, headers)).text()
    const capitals = `0x${txHash.slice(2).toUpperCase()}`
    expect(await (await payWith(url, capitals, headers)).text()).toBe(bytes)
    expect(await proven(capitals, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
  })

  test('proofs of both and bare hashes at once: each payer gets exactly what was paid', async () => {
    const txHash = await bundler.run([from(payer, 3n * price), from(otherPayer, 2n * price + 1n)])
    const of = (send: () => Promise<string>) => Promise.all(Array.from({ length: 8 }, send))
    const [first, second, hashes] = await Promise.all([
      of(() => proven(txHash, payer)),
      of(() => proven(txHash, otherPayer)),
      of(() => bare(txHash)),
    ])
    expect(first.filter((verdict) => verdict === '200')).toHaveLength(3)
    expect(second.filter((verdict) => verdict === '200')).toHaveLength(2)
    expect(new Set(hashes)).toEqual(new Set(['402 proof_required']))
    const rows = await shop.store.payments.byTransaction(chainId, txHash)
    expect(rows.map(({ amountMicros, spentMicros }) => [amountMicros, spentMicros]).toSorted()).toEqual([
      [20_001, 20_000],
      [30_000, 30_000],
    ])
  })

  test('a contract account among them proves with what its owner signs', async () => {
    const wallet = await chain.deploy('Wallet', [stranger.address])
    await chain.token('mint', [wallet, 20_000n], payer)
    await chain.client.impersonateAccount({ address: wallet })
    await chain.client.setBalance({ address: wallet, value: 10n ** 18n })
    await chain.token('approve', [bundler.address, 10n ** 12n], wallet as never)
    const txHash = await bundler.run([from(payer), from({ address: wallet }, 2n * price)])
    expect(await proven(txHash, stranger)).toBe('200')
    expect(await proven(txHash, stranger)).toBe('200')
    expect(await proven(txHash, stranger)).toBe(alreadyUsed)
    expect(await proven(txHash, otherPayer)).toBe('402 invalid_proof')
    expect(await proven(txHash, payer)).toBe('200')
  })

  test('one of whom sent less than the lowest price: a bare hash buys the other’s call, and a proof says that it is too little', async () => {
    const txHash = await bundler.run([from(otherPayer, price - 1n), from(payer)])
    expect(await proven(txHash, otherPayer)).toBe('402 payment_insufficient')
    expect(await bare(txHash)).toBe('200')
    expect(await bare(txHash)).toBe(alreadyUsed)
    expect(await proven(txHash, otherPayer)).toBe('402 invalid_proof')
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
  })

  test('neither of whom sent enough: together they buy nothing', async () => {
    const txHash = await bundler.run([from(payer, price - 1n), from(otherPayer, price - 1n)])
    expect(await bare(txHash)).toBe('402 payment_insufficient')
    expect(await proven(txHash, payer)).toBe('402 payment_insufficient')
  })

  test('transfers of nothing, of our own, to others and of other tokens make nobody a payer', async () => {
    const txHash = await bundler.run([
      from(otherPayer, 0n),
      from(shopkeeper, 50_000n),
      from(shopkeeper, 50_000n, stranger.address),
      from(stranger, 50_000n, otherPayer.address),
      from(payer),
    ])
    expect(await proven(txHash, shopkeeper)).toBe('402 invalid_proof')
    expect(await proven(txHash, otherPayer)).toBe('402 payment_insufficient')
    expect(await proven(txHash, stranger)).toBe('402 invalid_proof')
    expect(await bare(txHash)).toBe('200')
    const [row, ...others] = await shop.store.payments.byTransaction(chainId, txHash)
    expect(row).toMatchObject({ payer: payer.address.toLowerCase(), amountMicros: 10_000 })
    expect(others).toEqual([])
  })

  test('a call that cannot be made gives each payer the money back', async () => {
    const txHash = await bundler.run([from(payer), from(otherPayer)])
    for (const signer of [payer, otherPayer]) {
      expect((await prove(txHash, signer, freshUrl(shop, 'fail'))).status).toBe(500)
      expect(await proven(txHash, signer)).toBe('200')
      expect(await proven(txHash, signer)).toBe(alreadyUsed)
    }
  })

  test('both go with their block and come back in another one', async () => {
    const before = await chain.client.snapshot()
    const txHash = await bundler.run([from(payer, 3n * price), from(otherPayer, 3n * price)])
    for (const signer of [payer, otherPayer]) expect(await proven(txHash, signer)).toBe('200')
    const raw = await chain.client.request({
      method: 'eth_getRawTransactionByHash' as never,
      params: [txHash] as never,
    })
    await chain.rewind(before)
    await chain.client.mine({ blocks: 2 })
    await shop.payments.recheck(txHash)
    const states = async () =>
      (await shop.store.payments.byTransaction(chainId, txHash)).map(({ state }) => state)
    expect(await states()).toEqual(['reorged', 'reorged'])
    for (const signer of [payer, otherPayer]) expect(await proven(txHash, signer)).toBe('402 payment_reorged')
    await chain.client.sendRawTransaction({ serializedTransaction: raw as Hex })
    await chain.mined(txHash)
    await shop.payments.reconcile()
    expect(await states()).toEqual(['settled', 'settled'])
    for (const signer of [payer, otherPayer]) {
      expect(await proven(txHash, signer)).toBe('200')
      expect(await proven(txHash, signer)).toBe('200')
      expect(await proven(txHash, signer)).toBe(alreadyUsed)
    }
  })

  test('are explained to the operator, whether they have offered their payment or not', async () => {
    const txHash = await bundler.run([from(payer), from(otherPayer, 2n * price)])
    const [one, other] = [payer.address.toLowerCase(), otherPayer.address.toLowerCase()]
    const unspent = await shop.payments.explain(txHash)
    expect(unspent).toMatchObject({ verdict: 'unspent', payments: [] })
    expect(unspent.words).toContain(`${one} paid 0.01`)
    expect(unspent.words).toContain(`${other} paid 0.02`)
    await proven(txHash, payer)
    const { words, payments } = await shop.payments.explain(txHash)
    expect(payments).toHaveLength(1)
    expect(words).toContain(`from ${one}: 0.01 of 0.01 spent`)
    expect(words).toContain(`${other} paid 0.02`)
    await proven(txHash, otherPayer)
    expect((await shop.payments.explain(txHash)).words).not.toContain('never offered')
  })
})

describe('calldata that ends with the suffix of a request', () => {
  async function suffixOf(url: string): Promise<Hex> {
    const body = (await (await fetch(url)).json()) as { transfer: { proof: { dataSuffix: Hex } } }
    return body.transfer.proof.dataSuffix
  }

  test('binds only what its sender paid, whoever else is in the transaction', async () => {
    const url = freshUrl(shop)
    const dataSuffix = await suffixOf(url)
    const calls = [from(otherPayer), from(payer)]
    const txHash = await bundler.run(calls, { from: payer, dataSuffix })
    expect(await bare(txHash)).toBe('402 proof_required')
    expect(await proven(txHash, otherPayer)).toBe('200')
    expect(await bare(txHash)).toBe('402 proof_required')
    expect(await bare(txHash, url)).toBe('200')
    expect(await bare(txHash, url)).toBe('200')
    expect(await proven(txHash, otherPayer)).toBe(alreadyUsed)
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
  })

  test('by a bundler who pays nothing is no word of the payers', async () => {
    const url = freshUrl(shop)
    const dataSuffix = await suffixOf(url)
    const shared = await bundler.run([from(otherPayer), from(payer)], { dataSuffix })
    expect(await bare(shared, url)).toBe('402 proof_required')
    await using dear = await openShop(chain.url, { env: { X402_REQUIRE_PROOF: '0.01' } })
    const target = freshUrl(dear)
    const single = await bundler.run([from(payer)], { dataSuffix: await suffixOf(target) })
    expect(await bare(single, target)).toBe('402 proof_required')
    expect(await proven(single, payer, freshUrl(dear))).toBe('200')
  })
})

describe('a plain transfer beside an authorization', () => {
  test('is a payment of its own, between, before and after those of others', async () => {
    const [one, two] = await Promise.all([signAuthorization(), signAuthorization({ signer: otherPayer })])
    const txHash = await bundler.run([from(payer), carrying(two), from(payer), carrying(one), from(payer)])
    expect(await bare(txHash)).toBe('200')
    expect(await bare(txHash)).toBe(alreadyUsed)
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
    for (const signed of [one, two]) {
      expect(await verdictOf(await fetch(freshUrl(shop), { headers: v1Header(signed) }))).toBe('200')
      expect(await verdictOf(await fetch(freshUrl(shop), { headers: v1Header(signed) }))).toBe(alreadyUsed)
    }
    expect(await proven(txHash, otherPayer)).toBe(alreadyUsed)
  })

  test('is one also after the authorization was settled and offered first', async () => {
    const signed = await signAuthorization({ value: 25_000n })
    const txHash = await bundler.run([carrying(signed), from(payer), from(otherPayer)])
    const paid = await fetch(freshUrl(shop), { headers: v1Header(signed) })
    expect(fromBase64(paid.headers.get('x-payment-response'))['transaction']).toBe(txHash)
    expect(await bare(txHash)).toBe('402 proof_required')
    // The rest of the authorization is spent first, then the transfer.
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toMatch(/402 payment_(already_used|insufficient)/)
    expect(await proven(txHash, otherPayer)).toBe('200')
  })

  test('one proof buys one call, however many payments its payer has in the transaction', async () => {
    const signed = await signAuthorization({ value: 20_000n })
    const txHash = await bundler.run([carrying(signed), from(payer, 2n * price)])
    expect(await verdictOf(await fetch(freshUrl(shop), { headers: v1Header(signed) }))).toBe('200')
    const url = freshUrl(shop)
    const headers = { 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
    const bodies = await Promise.all(
      Array.from({ length: 6 }, async () => (await payWith(url, txHash, headers)).text()),
    )
    expect(new Set(bodies).size).toBe(1)
    expect(await proven(txHash, payer)).toBe('200')
    expect(await (await payWith(url, txHash, headers)).text()).toBe(bodies[0] ?? '')
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
  })

  test('one proof buys one call also when an earlier authorization turns up in its transaction', async () => {
    const signed = await signAuthorization({ value: 20_000n })
    const headers = v1Header(signed)
    const failing = freshUrl(shop, 'fail')
    expect((await fetch(failing, { headers })).status).toBe(500)
    const txHash = await bundler.run([carrying(signed), from(payer, 2n * price)])
    const url = freshUrl(shop)
    const proof = { 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
    const bytes = await (await payWith(url, txHash, proof)).text()
    expect(await verdictOf(await fetch(freshUrl(shop), { headers }))).toBe('200')
    expect(await (await payWith(url, txHash, proof)).text()).toBe(bytes)
    expect([await proven(txHash, payer), await proven(txHash, payer)]).toEqual(['200', '200'])
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
  })

  test('an authorization spent on a friend leaves its neighbours alone, and its own transfer buys nothing', async () => {
    const nonce = bytesToHex(randomBytes(32))
    const carried = await signAuthorization({ nonce, to: stranger.address })
    const alone = await bundler.run([carrying(carried)])
    expect(await bare(alone)).toBe('402 payment_made_by_authorization')
    const next = await signAuthorization({ to: stranger.address })
    const txHash = await bundler.run([from(otherPayer), carrying(next)])
    expect(await proven(txHash, payer)).toBe('402 invalid_proof')
    expect(await bare(txHash)).toBe('200')
  })
})

/** A random transaction: its calls, and what it moves from each wallet to us by plain transfers. */
async function randomCalls({ below, pick }: ReturnType<typeof randomFrom>) {
  const sent = new Map<LocalAccount, bigint>(people.map((person) => [person, 0n]))
  const calls: TokenCall[] = []
  for (let left = 1 + below(6); left > 0; left -= 1) {
    const signer = pick(people)
    const value = BigInt(pick([0, 4_000, 6_000, 10_000, 17_000]))
    const kind = pick(['plain', 'plain', 'plain', 'signed', 'own', 'elsewhere'])
    if (kind === 'signed')
      calls.push(
        carrying(await signAuthorization({ signer, value, to: pick([shopkeeper, stranger]).address })),
      )
    else if (kind === 'own') calls.push(from(shopkeeper, value))
    else if (kind === 'elsewhere') calls.push(from(signer, value, settler.address))
    else {
      calls.push(from(signer, value))
      sent.set(signer, (sent.get(signer) ?? 0n) + value)
    }
  }
  return { calls, sent }
}

test('over random transactions each payer draws exactly what that payer sent, and a bare hash no more than one call', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { calls, sent } = await randomCalls(randomFrom(seed))
    const txHash = await bundler.run(calls)
    const hasSeveral = [...sent.values()].filter((value) => value >= price).length > 1
    const drawn = people.map(async (signer) => {
      let count = 0
      while ((await proven(txHash, signer)) === '200') count += 1
      return count
    })
    const bareVerdicts = await Promise.all([bare(txHash), bare(txHash), bare(txHash)])
    const counts = await Promise.all(drawn)
    const byHash = bareVerdicts.filter((verdict) => verdict === '200').length
    const expected = people.map((person) => Number((sent.get(person) ?? 0n) / price))
    expect({ seed, isOne: byHash <= (hasSeveral ? 0 : 1) }).toEqual({ seed, isOne: true })
    const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
    expect({ seed, total: total(counts) + byHash }).toEqual({ seed, total: total(expected) })
    expect({ seed, over: counts.filter((count, index) => count > (expected[index] ?? 0)) }).toEqual({
      seed,
      over: [],
    })
  }
})

describe('a payment recorded before payers were told apart', () => {
  test('stays the only one of its transaction', async () => {
    const txHash = await bundler.run([from(otherPayer, price), from(payer, 2n * price)])
    const now = Date.now()
    // Inserts the payment as earlier versions recorded it: the sum, for the payer who sent most.
    await queryTestStore(
      shop.path,
      `insert into payments (id, method, via, chain_id, asset, pay_to, payer, tx_hash, amount_micros, state, block_time_ms, created_at_ms, updated_at_ms)
       values ('pay_older_${txHash}', 'transfer', 'transfer', ${chainId}, '${shop.settings.asset.address.toLowerCase()}',
         '${shopkeeper.address.toLowerCase()}', '${payer.address.toLowerCase()}', '${txHash}', 30000, 'settled', ${now}, ${now}, ${now})`,
    )
    expect(await proven(txHash, otherPayer)).toBe('402 invalid_proof')
    expect(await bare(txHash)).toBe('200')
    expect(await bare(txHash)).toBe(alreadyUsed)
    await shop.payments.recheck(txHash)
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe('200')
    expect(await proven(txHash, payer)).toBe(alreadyUsed)
    expect(await proven(txHash, otherPayer)).toBe('402 invalid_proof')
    expect(await shop.store.payments.byTransaction(chainId, txHash)).toHaveLength(1)
  })
})
