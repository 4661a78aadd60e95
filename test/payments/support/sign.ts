import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { chainId, payer, shopkeeper, usdc } from './anvil.ts'

/** A signed EIP-3009 authorization, as x402 payloads carry it. */
export interface Signed {
  readonly signature: Hex
  readonly authorization: {
    readonly from: Hex
    readonly to: Hex
    readonly value: string
    readonly validAfter: string
    readonly validBefore: string
    readonly nonce: Hex
  }
}

export interface SignOptions {
  readonly signer?: LocalAccount
  /** Whose money it is, where that is not the signer: a contract account. */
  readonly from?: Hex
  readonly to?: Hex
  readonly value?: bigint
  readonly validAfter?: number | bigint
  readonly validBefore?: number | bigint
  readonly nonce?: Hex
  readonly domain?: {
    readonly name?: string
    readonly version?: string
    readonly chainId?: number
    readonly verifyingContract?: Hex
  }
}

/** Long enough for a slow machine. */
const validSeconds = 500

export async function signAuthorization(options: SignOptions = {}): Promise<Signed> {
  const now = Math.floor(Date.now() / 1000)
  const { signer = payer, to = shopkeeper.address, value = 10_000n } = options
  const message = {
    from: options.from ?? signer.address,
    to,
    value,
    validAfter: BigInt(options.validAfter ?? now - 60),
    validBefore: BigInt(options.validBefore ?? now + validSeconds),
    nonce: options.nonce ?? bytesToHex(randomBytes(32)),
  }
  const signature = await signer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId, verifyingContract: usdc, ...options.domain },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const { value: amount, validAfter, validBefore, ...rest } = message
  const numbers = { value: String(amount), validAfter: String(validAfter), validBefore: String(validBefore) }
  return { signature, authorization: { ...rest, ...numbers } }
}

/** A payload as version 1 of x402 has it, ready for `X-PAYMENT`. */
export function v1Header(payload: Signed, more: object = {}): Record<string, string> {
  return {
    'x-payment': toBase64({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload, ...more }),
  }
}

/** A payload as version 2 of x402 has it, ready for `PAYMENT-SIGNATURE`. */
export function v2Header(payload: Signed, more: V2Options = {}): Record<string, string> {
  const accepted = {
    scheme: 'exact',
    network: `eip155:${chainId}`,
    amount: '10000',
    asset: usdc,
    payTo: shopkeeper.address,
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
    ...more.accepted,
  }
  const resource =
    more.url === undefined ? {} : { resource: { url: more.url, description: '', mimeType: '' } }
  const extensions = more.extensions === undefined ? {} : { extensions: more.extensions }
  return { 'payment-signature': toBase64({ x402Version: 2, accepted, payload, ...resource, ...extensions }) }
}

interface V2Options {
  readonly accepted?: object
  readonly url?: string
  readonly extensions?: object
}

export function toBase64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function fromBase64(header: string | null): Record<string, unknown> {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))
}
