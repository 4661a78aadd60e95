import { chainId, shopkeeper } from './anvil.ts'

/** The longest that can be set: a slow machine must not turn an answer of the chain into none. */
export const patientEnv = { X402_RPC_TIMEOUT_MS: '20000', X402_SETTLE_TIMEOUT_MS: '20000' } as const

export function walletEnv(rpcUrls: string) {
  return { X402_PAY_TO: shopkeeper.address, X402_NETWORK: `eip155:${chainId}`, X402_RPC_URLS: rpcUrls }
}
