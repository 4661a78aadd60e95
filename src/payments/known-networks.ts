/** A chain whose dollar token we know, so that an operator need not look it up. */
export interface KnownNetwork {
  readonly chainId: number
  /** What x402 version 1 calls the chain. */
  readonly v1Name: string
  readonly title: string
  readonly usdc: { readonly address: `0x${string}`; readonly name: string; readonly version: string }
}

export const knownNetworks: readonly KnownNetwork[] = [
  {
    chainId: 8453,
    v1Name: 'base',
    title: 'Base',
    usdc: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin', version: '2' },
  },
  {
    chainId: 84532,
    v1Name: 'base-sepolia',
    title: 'Base Sepolia',
    usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
  },
]

export function findNetwork(chainId: number): KnownNetwork | undefined {
  return knownNetworks.find((network) => network.chainId === chainId)
}
