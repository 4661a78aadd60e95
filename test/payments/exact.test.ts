import { afterEach, describe, expect, test } from 'bun:test'
import { concat, type Hex, hexToBigInt, keccak256, numberToHex, slice, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import { keyOf, otherPayer, payer, settler, shopkeeper, startAnvil, stranger, usdc } from './support/anvil.ts'
import { carry } from './support/bundle.ts'
import { freshPath, verdictOf } from './support/pay.ts'
import { altered, startRpcProxy } from './support/rpc-proxy.ts'
import { openShop } from './support/shop.ts'
import { fromBase64, type Signed, signAuthorization, toBase64, v1Header, v2Header } from './support/sign.ts'

const chain = started(startAnvil)
const shop = started(() => openShop(chain.url, { env: { X402_SETTLER_KEY: keyOf(settler) } }))
afterEach(async () => {
  shop.gate.wait = undefined
  await chain.calm()
})

function ask(headers: Record<string, string>, path = freshPath(), at = shop) {
  return fetch(`${at.url}${path}`, { headers })
}
async function pay(signed: Signed) {
  return verdictOf(await ask(v1Header(signed)))
}

describe('the flow', () => {
  test('version 1: X-PAYMENT buys the card, moves the money and is answered in X-PAYMENT-RESPONSE', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const response = await ask(v1Header(await signAuthorization()))
    expect(response.status).toBe(200)
    const receipt = fromBase64(response.headers.get('x-payment-response'))
    const from = payer.address.toLowerCase()
    expect(receipt).toMatchObject({ success: true, network: 'base-sepolia', payer: from })
    const mined = await chain.client.getTransactionReceipt({ hash: receipt['transaction'] as Hex })
    expect(mined.status).toBe('success')
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
  })

  test('version 2: PAYMENT-SIGNATURE is answered in PAYMENT-RESPONSE', async () => {
    const path = freshPath()
    const response = await ask(v2Header(await signAuthorization(), { url: `${shop.url}${path}` }), path)
    expect(response.status).toBe(200)
    expect(fromBase64(response.headers.get('payment-response'))).toMatchObject({
      success: true,
      network: 'eip155:84532',
    })
    expect(response.headers.get('cache-control')).toStartWith('private')
  })

  test('the version inside decides, not the name of the header', async () => {
    const [v2] = Object.values(v2Header(await signAuthorization()))
    expect(await verdictOf(await ask({ 'x-payment': v2 ?? '' }))).toBe('200')
  })

  test('an authorization buys one call; the same request gets the same bytes again', async () => {
    const headers = v1Header(await signAuthorization())
    const path = freshPath()
    const first = await (await ask(headers, path)).text()
    expect(await (await ask(headers, path)).text()).toBe(first)
    expect(await verdictOf(await ask(headers))).toBe('402 payment_already_used')
  })

  test('twenty calls at once with one authorization on twenty URLs: one is answered, the money moves once', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const headers = v1Header(await signAuthorization())
    const verdicts = await Promise.all(Array.from({ length: 20 }, async () => verdictOf(await ask(headers))))
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1)
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
  })

  test('a call that cannot be made moves no money, and the authorization stays good', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const headers = v1Header(await signAuthorization())
    expect((await ask(headers, freshPath('fail'))).status).toBe(500)
    expect(await chain.balanceOf(shopkeeper.address)).toBe(before)
    expect(await verdictOf(await ask(headers))).toBe('200')
  })

  test('ten settlements at once do not take each other’s nonce', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const signed = await Promise.all(Array.from({ length: 10 }, () => signAuthorization()))
    const verdicts = await Promise.all(signed.map(pay))
    expect(verdicts).toEqual(Array.from({ length: 10 }, () => '200'))
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(100_000n)
  })

  test('what version 1 pays too much is credit, never lost', async () => {
    const response = await ask(v1Header(await signAuthorization({ value: 25_000n })))
    expect(response.status).toBe(200)
    expect(response.headers.get('x-payment-credit')).toBe('0.015')
  })
})

describe('our terms, not the bearer’s', () => {
  function now() {
    return Math.floor(Date.now() / 1000)
  }
  const rows: readonly (readonly [string, () => Promise<Signed>, string])[] = [
    ['expired', () => signAuthorization({ validBefore: now() - 10 }), 'authorization_valid_before'],
    ['about to expire', () => signAuthorization({ validBefore: now() + 3 }), 'authorization_valid_before'],
    ['not yet valid', () => signAuthorization({ validAfter: now() + 30 }), 'authorization_valid_after'],
    ['too little', () => signAuthorization({ value: 9_999n }), 'authorization_value'],
    ['for somebody else', () => signAuthorization({ to: stranger.address }), 'recipient_mismatch'],
    [
      'for another token',
      () => signAuthorization({ domain: { verifyingContract: stranger.address } }),
      'signature',
    ],
    ['for another chain', () => signAuthorization({ domain: { chainId: 8453 } }), 'signature'],
    ['for a token of another name', () => signAuthorization({ domain: { name: 'USD Coin' } }), 'signature'],
    ['for a token of another version', () => signAuthorization({ domain: { version: '1' } }), 'signature'],
    ['signed by a stranger', () => signAuthorization({ signer: stranger, from: payer.address }), 'signature'],
    ['changed after it was signed', () => tampered({ validBefore: String(now() + 50) }), 'signature'],
    ['with the malleable twin of its signature', highS, 'signature'],
    [
      'with half a signature',
      async () => ({ ...(await signAuthorization()), signature: `0x${'11'.repeat(32)}` }),
      'signature',
    ],
  ]
  for (const [name, sign, word] of rows) {
    test(`an authorization ${name} is refused, and nothing moves`, async () => {
      const before = await chain.balanceOf(shopkeeper.address)
      expect(await pay(await sign())).toBe(`402 invalid_exact_evm_payload_${word}`)
      expect(await chain.balanceOf(shopkeeper.address)).toBe(before)
    })
  }

  async function tampered(change: object): Promise<Signed> {
    const signed = await signAuthorization()
    return { ...signed, authorization: { ...signed.authorization, ...change } }
  }

  async function highS(): Promise<Signed> {
    const signed = await signAuthorization()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = numberToHex(order - hexToBigInt(slice(signed.signature, 32, 64)), { size: 32 })
    const v: Hex = slice(signed.signature, 64) === '0x1b' ? '0x1c' : '0x1b'
    return { ...signed, signature: concat([slice(signed.signature, 0, 32), s, v]) }
  }

  const accepted: readonly (readonly [string, object, string])[] = [
    ['another scheme', { scheme: 'upto' }, 'unsupported_scheme'],
    ['another network', { network: 'eip155:1' }, 'invalid_network'],
    ['another asset', { asset: stranger.address }, 'invalid_payment_requirements'],
    ['another recipient', { payTo: stranger.address }, 'invalid_exact_evm_payload_recipient_mismatch'],
    ['another amount', { amount: '1' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ]
  for (const [name, change, reason] of accepted) {
    test(`a version 2 payload that accepts ${name} is ${reason}`, async () => {
      const headers = v2Header(await signAuthorization(), { accepted: change })
      expect(await verdictOf(await ask(headers))).toBe(`402 ${reason}`)
    })
  }

  test('version 2 pays exactly the amount', async () => {
    const headers = v2Header(await signAuthorization({ value: 20_000n }))
    const expected = '402 invalid_exact_evm_payload_authorization_value_mismatch'
    expect(await verdictOf(await ask(headers))).toBe(expected)
  })

  test('a version 2 payload for another resource is refused here', async () => {
    const headers = v2Header(await signAuthorization(), { url: `${shop.url}/api/og?title=Other` })
    expect(await verdictOf(await ask(headers))).toBe('402 payment_bound_to_other_request')
  })

  test('payloads that cannot be read say which part', async () => {
    const signed = await signAuthorization()
    const rows: readonly (readonly [string, string])[] = [
      [toBase64({ x402Version: 3 }), 'invalid_x402_version'],
      [toBase64({ x402Version: 1, scheme: 'exact', network: 'base-sepolia' }), 'invalid_payload'],
      [toBase64({ x402Version: 1, scheme: 'exact', network: 'base', payload: signed }), 'invalid_network'],
      [toBase64({ x402Version: 2, payload: signed }), 'invalid_payload'],
      ['eyJub3QganNvbg==', 'invalid_payload'],
    ]
    for (const [header, reason] of rows) {
      expect(await verdictOf(await ask({ 'x-payment': header }))).toBe(`402 ${reason}`)
    }
  })

  test('a PAYMENT-SIGNATURE that is no base64 of an object cannot be read', async () => {
    for (const header of ['hello', '{"x402Version":2}', '0x12', 'W10=', 'e30'.repeat(9)])
      expect(await verdictOf(await ask({ 'payment-signature': header }))).toBe('402 invalid_payload')
  })
})

/** The selector of `balanceOf(address)`. */
const balanceOf = '0x70a08231'

describe('wallets', () => {
  test('a wallet without money is refused before anything is made', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const { makes } = shop.counts
    expect(await pay(await signAuthorization({ signer: poor }))).toBe('402 insufficient_funds')
    expect(shop.counts.makes).toBe(makes)
  })

  test('one balance and eight authorizations: one call is answered', async () => {
    const modest = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [modest.address, 15_000n], payer)
    const signed = await Promise.all(Array.from({ length: 8 }, () => signAuthorization({ signer: modest })))
    const verdicts = await Promise.all(signed.map(pay))
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1)
    expect(verdicts.filter((verdict) => verdict === '402 insufficient_funds')).toHaveLength(7)
    expect(await chain.balanceOf(modest.address)).toBe(5_000n)
  })

  test('a balance that was read before another payment moved it is read again', async () => {
    const rpc = startRpcProxy(chain.url)
    const own = await openShop(rpc.url, { env: { X402_SETTLER_KEY: keyOf(settler) } })
    const modest = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [modest.address, 15_000n], payer)
    const [late, first] = [
      await signAuthorization({ signer: modest }),
      await signAuthorization({ signer: modest }),
    ]
    const [isRead, isPaid] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    rpc.breakWith(async (_method, call) => {
      if (!JSON.stringify(call.params).includes(balanceOf) || ++reads > 1) return undefined
      // Reads the balance now, and delays the answer until the other payment has moved it.
      const answer = await altered(chain.url, call, (result) => result)
      isRead.resolve()
      await isPaid.promise
      return answer
    })
    const verdict = ask(v1Header(late), freshPath(), own).then(verdictOf)
    await isRead.promise
    expect(await ask(v1Header(first), freshPath(), own).then(verdictOf)).toBe('200')
    rpc.takeCalls()
    isPaid.resolve()
    expect(await verdict).toBe('402 insufficient_funds')
    // Refused by what the ledger knows: nothing is made, and the settler is not asked.
    expect(own.counts.makes).toBe(1)
    expect(rpc.takeCalls()).not.toContain('eth_estimateGas')
    await own.close()
    await rpc.stop()
  })

  test('a blacklisted wallet is refused', async () => {
    const listed = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [listed.address, 15_000n], payer)
    await chain.token('setBlacklisted', [listed.address, true], payer)
    expect(await pay(await signAuthorization({ signer: listed }))).toBe('402 invalid_transaction_state')
  })

  test('a contract account that vouches for its owner pays (ERC-1271), with signatures of any length', async () => {
    const wallet = await chain.deploy('Wallet', [payer.address])
    await chain.token('mint', [wallet, 100_000n], payer)
    const signed = await signAuthorization({ from: wallet })
    expect(await pay(signed)).toBe('200')
    const other = await signAuthorization({ from: wallet })
    expect(await pay({ ...other, signature: concat([other.signature, '0x1234']) })).toBe('200')
    const expected = '402 invalid_exact_evm_payload_signature'
    expect(await pay(await signAuthorization({ from: wallet, signer: stranger }))).toBe(expected)
  })

  /** A key whose account has the code of another contract, as EIP-7702 lets its owner choose. */
  async function delegatedTo(delegate: Hex) {
    const wallet = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [wallet.address, 100_000n], payer)
    await chain.client.setCode({ address: wallet.address, bytecode: concat(['0xef0100', delegate]) })
    return wallet
  }

  test('a key with code by EIP-7702 pays where that code accepts its signature, as the token asks it', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [owner.address, 100_000n], payer)
    const delegate = await chain.deploy('Wallet', [owner.address])
    await chain.client.setCode({ address: owner.address, bytecode: concat(['0xef0100', delegate]) })
    expect(await pay(await signAuthorization({ signer: owner }))).toBe('200')
    // The code vouches for longer signatures too, which no key's are.
    const longer = await signAuthorization({ signer: owner })
    expect(await pay({ ...longer, signature: concat([longer.signature, '0x1234']) })).toBe('200')
  })

  test.each(['Wallet', 'Bundle'] as const)(
    'a key whose code by EIP-7702 refuses its signature (%s) is told so and what to do, and nothing is sent',
    async (name) => {
      const delegate = await chain.deploy(name, name === 'Wallet' ? [stranger.address] : [])
      const signer = await delegatedTo(delegate)
      const sent = await chain.client.getTransactionCount({ address: settler.address })
      const { makes } = shop.counts
      const response = await ask(v1Header(await signAuthorization({ signer })))
      const body = (await response.json()) as { error: string; detail: string }
      expect([response.status, body.error]).toEqual([402, 'invalid_exact_evm_payload_signature'])
      expect(body.detail).toContain('EIP-7702')
      expect(await chain.client.getTransactionCount({ address: settler.address })).toBe(sent)
      expect(shop.counts.makes).toBe(makes)
      // Without the code the same key pays.
      await chain.client.setCode({ address: signer.address, bytecode: '0x' })
      expect(await pay(await signAuthorization({ signer }))).toBe('200')
    },
  )

  test('a wallet that is not deployed yet is told so (ERC-6492)', async () => {
    const signed = await signAuthorization({ from: '0x00000000000000000000000000000000000abcde' })
    const magic: Hex = `0x${'6492'.repeat(16)}`
    const wrapped = concat([`0x${'00'.repeat(96)}`, signed.signature, magic])
    const expected = '402 invalid_exact_evm_payload_undeployed_smart_wallet'
    expect(await pay({ ...signed, signature: wrapped })).toBe(expected)
  })
})

describe('authorizations that others touch', () => {
  test('one that somebody else carried to the chain buys its call once, and no second settlement is sent', async () => {
    const signed = await signAuthorization()
    const txHash = await carry(chain, signed)
    const sent = await chain.client.getTransactionCount({ address: settler.address })
    const response = await ask(v1Header(signed))
    expect(response.status).toBe(200)
    expect(fromBase64(response.headers.get('x-payment-response'))['transaction']).toBe(txHash)
    expect(await chain.client.getTransactionCount({ address: settler.address })).toBe(sent)
    expect(await pay(signed)).toBe('402 payment_already_used')
  })

  test('one that is carried away while the answer is made is adopted', async () => {
    const signed = await signAuthorization()
    let open = () => {}
    shop.gate.wait = new Promise((resolve) => {
      open = resolve
    })
    const { makes } = shop.counts
    const waiting = ask(v1Header(signed))
    while (shop.counts.makes === makes) await Bun.sleep(5)
    const txHash = await carry(chain, signed)
    open()
    shop.gate.wait = undefined
    const response = await waiting
    expect(response.status).toBe(200)
    expect(fromBase64(response.headers.get('x-payment-response'))['transaction']).toBe(txHash)
  })

  test('one that its payer cancelled is refused', async () => {
    const signed = await signAuthorization()
    const { nonce } = signed.authorization
    const signature = await payer.signTypedData({
      domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: usdc },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: payer.address, nonce },
    })
    const parts = [Number(slice(signature, 64)), slice(signature, 0, 32), slice(signature, 32, 64)]
    await chain.token('cancelAuthorization', [payer.address, nonce, ...parts], stranger)
    expect(await pay(signed)).toBe('402 invalid_exact_evm_payload_authorization_used')
  })

  test('a settlement’s hash is no transfer, whether we know it or not', async () => {
    const response = await ask(v1Header(await signAuthorization()))
    const { transaction } = fromBase64(response.headers.get('x-payment-response'))
    const unknown = await carry(chain, await signAuthorization())
    for (const txHash of [String(transaction), unknown]) {
      expect(await verdictOf(await ask({ 'x-payment': txHash }))).toBe('402 payment_made_by_authorization')
    }
  })

  test('a second amount under the same nonce is no second payment', async () => {
    const nonce: Hex = `0x${'5a'.repeat(32)}`
    await ask(v1Header(await signAuthorization({ nonce, value: 50_000n })), freshPath('fail'))
    const small = await signAuthorization({ nonce })
    expect(await pay(small)).toBe('402 invalid_exact_evm_payload_authorization_used')
  })
})

describe('the caller’s own payment identifier', () => {
  function identify(id: string) {
    const extensions = { 'payment-identifier': { info: { required: false, id } } }
    return async () => v2Header(await signAuthorization({ signer: otherPayer }), { extensions })
  }

  test('makes two authorizations one payment, and buys nothing else', async () => {
    const path = freshPath()
    const identified = identify('order_0123456789abcdef')
    const before = await chain.balanceOf(shopkeeper.address)
    const headers = await identified()
    const first = await ask(headers, path)
    const again = await ask(await identified(), path)
    expect(again.status).toBe(200)
    expect(await again.text()).toBe(await first.text())
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
    for (const offered of [headers, await identified()]) {
      const elsewhere = await ask(offered)
      expect(elsewhere.headers.get('content-type')).toBe('application/problem+json')
      expect(await verdictOf(elsewhere)).toBe('409 payment_identifier_used')
    }
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
    const another = v2Header(await signAuthorization(), {
      extensions: { 'payment-identifier': { info: { required: false, id: 'order_0123456789abcdef' } } },
    })
    expect(await verdictOf(await ask(another))).toBe('200')
  })

  test('pays once for requests that arrive together: equal ones get one answer, others 409', async () => {
    const [path, other] = [freshPath(), freshPath()]
    const identified = identify('order_fedcba9876543210')
    const before = await chain.balanceOf(shopkeeper.address)
    const answers = await Promise.all(
      [path, other, path, other, path, other].map(
        async (each) => [each, await ask(await identified(), each)] as const,
      ),
    )
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
    const bought = answers.find(([, { status }]) => status === 200)?.[0]
    const bodies = new Set<string>()
    for (const [asked, answer] of answers) {
      if (asked === bought) bodies.add(await answer.text())
      else expect(await verdictOf(answer)).toBe('409 payment_identifier_used')
    }
    expect(bodies.size).toBe(1)
    expect([...bodies][0]).toStartWith('<svg')
  })

  test('of a request that could not be answered is free for another one', async () => {
    const identified = identify('order_5555555555555555')
    expect((await ask(await identified(), freshPath('fail'))).status).toBe(500)
    expect(await verdictOf(await ask(await identified()))).toBe('200')
  })
})

describe('times of 78 digits', () => {
  const longest = 2n ** 256n - 1n

  async function mppHeader(path: string, validBefore: bigint): Promise<Record<string, string>> {
    const offer = (await ask({}, path)).headers.get('www-authenticate') ?? ''
    const [, id = ''] = / id="([^"]+)"/.exec(offer) ?? []
    const [, realm = ''] = / realm="([^"]+)"/.exec(offer) ?? []
    const [, expires] = / expires="([^"]+)"/.exec(offer) ?? []
    const nonce = keccak256(stringToHex(`${id}${realm}`))
    const { authorization, signature } = await signAuthorization({ nonce, validBefore })
    const payload = { type: 'authorization', ...authorization, signature }
    const credential = Buffer.from(JSON.stringify({ challenge: { id, expires }, payload }))
    return { authorization: `Payment ${credential.toString('base64url')}` }
  }

  test.each([
    [
      'version 1',
      async (_: string, validBefore: bigint) => v1Header(await signAuthorization({ validBefore })),
    ],
    [
      'version 2',
      async (_: string, validBefore: bigint) => v2Header(await signAuthorization({ validBefore })),
    ],
    ['MPP', mppHeader],
  ] as const)('are exact in %s', async (_, headersFor) => {
    for (const validBefore of [longest, 10n ** 77n]) {
      const path = freshPath()
      expect(await verdictOf(await ask(await headersFor(path, validBefore), path))).toBe('200')
    }
  })

  test('never expire in the ledger', async () => {
    const signed = await signAuthorization({ validBefore: longest })
    expect(await pay(signed)).toBe('200')
    const [{ until } = { until: 0 }] = await queryTestStore<{ until: number | string }>(
      shop.path,
      `select valid_until_ms as until from payments where nonce = '${signed.authorization.nonce}'`,
    )
    expect(Number(until)).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('that do not fit the token’s own are malformed, and one that begins so late is not valid yet', async () => {
    const { authorization, signature } = await signAuthorization()
    const offered = (changes: object) => pay({ signature, authorization: { ...authorization, ...changes } })
    for (const name of ['value', 'validAfter', 'validBefore']) {
      expect(await offered({ [name]: String(longest + 1n) })).toBe('402 invalid_payload')
      expect(await offered({ [name]: '9'.repeat(78) })).toBe('402 invalid_payload')
    }
    const expected = '402 invalid_exact_evm_payload_authorization_valid_after'
    expect(await pay(await signAuthorization({ validAfter: longest }))).toBe(expected)
    expect(await pay(await signAuthorization({ value: longest }))).toBe(
      '402 invalid_exact_evm_payload_authorization_value',
    )
  })
})
