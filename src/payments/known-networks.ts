/** A chain whose dollar token we know, so that an operator need not look it up. */
interface KnownNetwork {
  /** Name of the chain in x402 version 1. */
  readonly v1Name: string
  readonly usdc: { readonly address: `0x${string}`; readonly name: string; readonly version: string }
}

/** Base and its test network, by chain id. */
export const knownNetworks: Readonly<Record<number, KnownNetwork>> = {
  8453: {
    v1Name: 'base',
    usdc: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin', version: '2' },
  },
  84532: {
    v1Name: 'base-sepolia',
    usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
  },
}
