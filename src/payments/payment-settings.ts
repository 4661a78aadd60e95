export type Hex = `0x${string}`

/** Everything that payments follow, with the network's defaults filled in. Addresses are EIP-55 checksummed. */
export interface PaymentSettings {
  readonly payTo: Hex
  readonly chainId: number
  /** CAIP-2. */
  readonly network: `eip155:${number}`
  /** The name that x402 version 1 gave the chain; chains without one cannot be offered to its clients. */
  readonly v1Network: string | undefined
  readonly asset: PaymentToken
  readonly rpc: { readonly urls: readonly string[]; readonly timeoutMs: number; readonly quorum: number }
  readonly confirmations: number
  readonly confirmationsHigh: number
  readonly highPriceMicros: number
  readonly maxAgeMs: number
  readonly waitMs: number
  readonly pollMs: number
  readonly replayWindowMs: number
  readonly maxTimeoutSeconds: number
  /** Who carries authorizations to the chain. `off`: only transfers are taken. */
  readonly settle: 'self' | 'facilitator' | 'off'
  readonly settlerKey: Hex | undefined
  readonly settleWait: 'confirmed' | 'submitted'
  readonly settleTimeoutMs: number
  /** The most gas that one settlement may use. */
  readonly settleGasMax: number
  /** The most that a settlement pays for one gas. */
  readonly gasPriceWeiMax: bigint
  readonly facilitator:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined
  /** Whether the facilitator's word is checked on chain. */
  readonly verifyFacilitator: boolean
  /** The price from which a transfer needs a proof; infinite for never. */
  readonly proofFromMicros: number
  readonly mpp: boolean
}

export interface PaymentToken {
  readonly address: Hex
  /** Name and version as the token's EIP-712 domain has them. */
  readonly name: string
  readonly version: string
  readonly symbol: string
  readonly decimals: number
}

/** Token and wallet as the chain and the ledger write addresses. */
export function termsInLowerCase({ asset, payTo }: Pick<PaymentSettings, 'asset' | 'payTo'>) {
  return { asset: asset.address.toLowerCase() as Hex, payTo: payTo.toLowerCase() as Hex }
}

/** How many confirmations a payment of this price needs. */
export function confirmationsFor(settings: PaymentSettings, priceMicros: number): number {
  return priceMicros >= settings.highPriceMicros ? settings.confirmationsHigh : settings.confirmations
}
