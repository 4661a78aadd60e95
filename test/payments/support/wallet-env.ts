import { chainId, shopkeeper } from './anvil.ts'

/** The settings of a server that takes money on the test's chain. */
export const walletEnv = (rpcUrls: string) => ({
  X402_PAY_TO: shopkeeper.address,
  X402_NETWORK: `eip155:${chainId}`,
  X402_RPC_URLS: rpcUrls,
})
