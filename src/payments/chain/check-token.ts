import { domainSeparator } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { PaymentSettings } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import { RpcUnavailable } from './rpc.ts'
import { domainOf } from './signatures.ts'

export interface TokenCheck {
  /** `wrong-domain`: every signature would fail. `wrong-token`: amounts mean something else. `unknown`: no RPC answered. */
  readonly state: 'match' | 'wrong-domain' | 'wrong-token' | 'unknown'
  readonly problems: readonly string[]
}

export async function checkToken(chain: Chain, settings: PaymentSettings): Promise<TokenCheck> {
  const { asset, network } = settings
  /** A token that does not have the function answers with an Error. */
  async function read(functionName: TokenView): Promise<unknown> {
    const request = { abi: tokenAbi, functionName, args: [] } as const
    const call = { to: asset.address, data: encodeFunctionData(request) }
    try {
      return decodeFunctionResult({ ...request, data: await chain.call(call) })
    } catch (error) {
      if (error instanceof RpcUnavailable) throw error
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  try {
    const code = await chain.code(asset.address)
    if (code === '0x') return wrongToken([`There is no contract at ${asset.address} on ${network}.`])
    const views = ['name', 'version', 'decimals', 'DOMAIN_SEPARATOR'] as const
    const [name, version, decimals, separator] = await Promise.all(views.map(read))
    const domain = [
      ...differs('name', name, asset.name),
      // The standard does not ask for one.
      ...(version instanceof Error ? [] : differs('version', version, asset.version)),
      ...(separator === domainSeparator({ domain: domainOf(settings) })
        ? []
        : ['The token’s DOMAIN_SEPARATOR is another one.']),
    ]
    const amounts = differs('decimals', decimals, asset.decimals)
    if (amounts.length > 0) return wrongToken([...amounts, ...domain])
    return { state: domain.length === 0 ? 'match' : 'wrong-domain', problems: domain }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const isUnknown = error instanceof RpcUnavailable && !/is on chain/.test(words)
    return isUnknown ? { state: 'unknown', problems: [words] } : wrongToken([words])
  }
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  if (found === expected) return []
  const is = found instanceof Error ? 'cannot be read' : `is ${JSON.stringify(found)}`
  return [`The token’s ${what} ${is}, the settings say ${JSON.stringify(expected)}.`]
}

function wrongToken(problems: readonly string[]): TokenCheck {
  return { state: 'wrong-token', problems: [...problems, 'Nothing is sold for it until that fits.'] }
}

type TokenView = 'name' | 'version' | 'decimals' | 'DOMAIN_SEPARATOR'

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
