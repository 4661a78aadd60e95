import { chainId, shopkeeper } from './anvil.ts'

export function walletEnv(rpcUrls: string) {
  return {
    X402_PAY_TO: shopkeeper.address,
    X402_NETWORK: `eip155:${chainId}`,
    X402_RPC_URLS: rpcUrls,
  }
}
