import { decodeAbiParameters, encodeAbiParameters, keccak256, stringToHex } from 'viem/utils'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import { RpcUnavailable } from './rpc.ts'

/** Whether the chain and the token are what the settings say. */
export interface TokenCheck {
  /** `unknown`: nobody could be asked. */
  readonly state: 'good' | 'bad' | 'unknown'
  /** What is wrong, one sentence each. */
  readonly problems: readonly string[]
}

/** Reads the token's own account of itself: a wrong domain would make every signature worthless. */
export async function checkToken(chain: Chain, settings: PaymentSettings): Promise<TokenCheck> {
  const { asset, network } = settings
  function read(selector: Hex) {
    return chain.call({ to: asset.address, data: selector })
  }
  try {
    const code = await chain.code(asset.address)
    if (code === '0x') return bad([`There is no contract at ${asset.address} on ${network}.`])
    const [name, version, decimals, separator] = await Promise.all([
      read('0x06fdde03').then(toText),
      read('0x54fd4d50').then(toText, () => undefined),
      read('0x313ce567').then((answer) => Number(BigInt(answer))),
      read('0x3644e515'),
    ])
    const problems = [
      ...differs('name', name, asset.name),
      ...(version === undefined ? [] : differs('version', version, asset.version)),
      ...differs('decimals', decimals, asset.decimals),
      ...(separator === domainSeparator(settings) ? [] : ['The token’s DOMAIN_SEPARATOR is another one.']),
    ]
    return problems.length === 0 ? { state: 'good', problems } : bad(problems)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    if (error instanceof RpcUnavailable && !/is on chain/.test(words))
      return { state: 'unknown', problems: [words] }
    return bad([words])
  }
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  return found === expected
    ? []
    : [`The token’s ${what} is ${JSON.stringify(found)}, the settings say ${JSON.stringify(expected)}.`]
}

function bad(problems: readonly string[]): TokenCheck {
  return { state: 'bad', problems }
}

function toText(answer: Hex): string {
  return decodeAbiParameters([{ type: 'string' }], answer)[0]
}

function domainSeparator({ asset, chainId }: PaymentSettings): Hex {
  const type = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
  function hash(text: string) {
    return keccak256(stringToHex(text))
  }
  const types = ['bytes32', 'bytes32', 'bytes32', 'uint256', 'address'].map((each) => ({ type: each }))
  return keccak256(
    encodeAbiParameters(types, [
      hash(type),
      hash(asset.name),
      hash(asset.version),
      BigInt(chainId),
      asset.address,
    ]),
  )
}
