import { getAddress } from 'viem/utils'
import type { Config } from '../config.ts'
import { knownNetworks } from './known-networks.ts'
import type { Hex, PaymentSettings, PaymentToken } from './payment-settings.ts'

/** Settings that depend on one another. Each reader throws an Error that names those that do not go together. */

type Of<Name extends keyof Config> = Pick<Config, Name>

export function chainIdOf({ X402_NETWORK: network }: Of<'X402_NETWORK'>): number {
  return Number(network.slice('eip155:'.length))
}

/** The address with its EIP-55 checksum. Digits in one case carry none; in mixed case theirs must be right. */
export function readAddress(name: string, text: string): Hex {
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  const address = getAddress(`0x${lower}`)
  if ([lower, digits.toUpperCase(), address.slice(2)].includes(digits)) return address
  throw new Error(`${name} has a wrong EIP-55 checksum: check the address, a digit may be mistyped`)
}

export function readAssetAddress(config: Of<'X402_NETWORK' | 'X402_ASSET'>): Hex {
  const address = config.X402_ASSET ?? usdcOf(config)?.address
  if (address !== undefined) return readAddress('X402_ASSET', address)
  throw new Error(`X402_ASSET is needed: no token is known for ${config.X402_NETWORK}.`)
}

export function readAssetNames(
  config: Of<'X402_NETWORK' | 'X402_ASSET' | 'X402_ASSET_NAME' | 'X402_ASSET_VERSION'>,
): Pick<PaymentToken, 'name' | 'version' | 'symbol'> {
  const usdc = usdcOf(config)
  const address = config.X402_ASSET ?? usdc?.address
  const stored = usdc?.address.toLowerCase() === address?.toLowerCase() ? usdc : undefined
  const name = config.X402_ASSET_NAME ?? stored?.name
  const version = config.X402_ASSET_VERSION ?? stored?.version
  if (name === undefined || version === undefined) {
    throw new Error('X402_ASSET_NAME and X402_ASSET_VERSION are needed for a token that is not known.')
  }
  return { name, version, symbol: stored === undefined ? name : 'USDC' }
}

export function readQuorum({
  X402_RPC_QUORUM: quorum,
  X402_RPC_URLS: urls,
}: Of<'X402_RPC_QUORUM' | 'X402_RPC_URLS'>): number {
  if (quorum <= Math.max(urls.length, 1)) return quorum
  throw new Error(`X402_RPC_QUORUM is ${quorum}, but X402_RPC_URLS has ${urls.length}.`)
}

export function readSettle(
  config: Of<'X402_SETTLE' | 'X402_SETTLER_KEY' | 'X402_RPC_URLS' | 'X402_FACILITATOR_URL'>,
): PaymentSettings['settle'] {
  const self = config.X402_SETTLER_KEY !== undefined && config.X402_RPC_URLS.length > 0
  const facilitator = config.X402_FACILITATOR_URL !== undefined
  if (config.X402_SETTLE === 'self' && !self) {
    throw new Error('X402_SETTLE=self needs X402_SETTLER_KEY and X402_RPC_URLS.')
  }
  if (config.X402_SETTLE === 'facilitator' && !facilitator) {
    throw new Error('X402_SETTLE=facilitator needs X402_FACILITATOR_URL.')
  }
  if (config.X402_SETTLE !== 'auto') return config.X402_SETTLE
  if (self) return 'self'
  return facilitator ? 'facilitator' : 'off'
}

/** A wallet alone would be offered money that nothing can see arrive. */
export function checkPayable(
  config: Of<'X402_PAY_TO' | 'X402_SETTLE' | 'X402_RPC_URLS' | 'X402_FACILITATOR_URL'>,
): void {
  const { X402_PAY_TO: wallet, X402_SETTLE: settle, X402_RPC_URLS: urls } = config
  if (wallet === undefined || urls.length > 0) return
  // The other settlements name what they need by themselves.
  if (settle === 'self' || settle === 'facilitator') return
  if (settle === 'auto' && config.X402_FACILITATOR_URL !== undefined) return
  const words = 'X402_PAY_TO needs X402_RPC_URLS: without an endpoint nothing can verify a payment.'
  throw new Error(settle === 'off' ? words : `${words} Or name a facilitator with X402_FACILITATOR_URL.`)
}

function usdcOf(config: Of<'X402_NETWORK'>) {
  return knownNetworks[chainIdOf(config)]?.usdc
}
