import {
  decodeFunctionResult,
  encodeFunctionData,
  hashStruct,
  parseAbi,
  parseAbiParameters,
} from 'viem/utils'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import { RpcUnavailable } from './rpc-endpoint.ts'

/** Whether the chain and the token are what the settings say. */
export interface TokenCheck {
  /** `unknown`: no RPC answered. */
  readonly state: 'match' | 'mismatch' | 'unknown'
  /** What is wrong, one sentence each. */
  readonly problems: readonly string[]
}

/** Compares the token's own name, version, decimals and EIP-712 domain: with a wrong domain every signature fails. */
export async function checkToken(chain: Chain, settings: PaymentSettings): Promise<TokenCheck> {
  const { asset, network } = settings
  function call(functionName: TokenView) {
    const data = encodeFunctionData({ abi: tokenAbi, functionName, args: [] })
    return chain.call({ to: asset.address, data })
  }
  async function read(functionName: TokenView) {
    return decode(functionName, await call(functionName))
  }
  try {
    const code = await chain.code(asset.address)
    if (code === '0x') return mismatch([`There is no contract at ${asset.address} on ${network}.`])
    const [name, version, decimals, separator] = await Promise.all([
      read('name'),
      call('version').then(
        (answer) => decode('version', answer),
        () => undefined,
      ),
      read('decimals'),
      read('DOMAIN_SEPARATOR'),
    ])
    const problems = [
      ...differs('name', name, asset.name),
      ...(version === undefined ? [] : differs('version', version, asset.version)),
      ...differs('decimals', decimals, asset.decimals),
      ...(separator === domainSeparatorOf(settings) ? [] : ['The token’s DOMAIN_SEPARATOR is another one.']),
    ]
    return problems.length === 0 ? { state: 'match', problems } : mismatch(problems)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    if (error instanceof RpcUnavailable && !/is on chain/.test(words))
      return { state: 'unknown', problems: [words] }
    return mismatch([words])
  }
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  return found === expected
    ? []
    : [`The token’s ${what} is ${JSON.stringify(found)}, the settings say ${JSON.stringify(expected)}.`]
}

function mismatch(problems: readonly string[]): TokenCheck {
  return { state: 'mismatch', problems }
}

function decode(functionName: TokenView, data: Hex): unknown {
  return decodeFunctionResult({ abi: tokenAbi, functionName, data, args: [] })
}

function domainSeparatorOf({ asset, chainId }: PaymentSettings): Hex {
  const { name, version, address: verifyingContract } = asset
  return hashStruct({
    primaryType: 'EIP712Domain',
    types: domainTypes,
    data: { name, version, chainId: BigInt(chainId), verifyingContract },
  })
}

const domainTypes = {
  EIP712Domain: parseAbiParameters('string name, string version, uint256 chainId, address verifyingContract'),
}

type TokenView = 'name' | 'version' | 'decimals' | 'DOMAIN_SEPARATOR'

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
