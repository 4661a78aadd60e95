import type { Hex } from '../payment-settings.ts'
import type { Log } from './chain.ts'

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce) */
export const authorizationUsedTopic = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/** AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce) */
export const authorizationCanceledTopic = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'

export interface Transfer {
  /** Of its log in the transaction. */
  readonly index: number
  readonly asset: Hex
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
}

/** The ERC-20 transfers in a receipt, whoever claims them: the asset says whether they count. */
export function readTransfers(logs: readonly Log[]): readonly Transfer[] {
  return logs.flatMap(({ index, address, topics, data }) => {
    const [topic, from, to] = topics
    if (topic !== transferTopic || topics.length !== 3 || from === undefined || to === undefined) return []
    if (data.length !== 66) return []
    return [{ index, asset: address, from: readAddress(from), to: readAddress(to), value: BigInt(data) }]
  })
}

export interface UsedAuthorization {
  /** Of its log in the transaction. */
  readonly index: number
  readonly authorizer: Hex
  readonly nonce: Hex
}

/** The authorizations that the asset says a transaction carried out. */
export function readUsedAuthorizations(logs: readonly Log[], asset: Hex): readonly UsedAuthorization[] {
  return logs.flatMap(({ index, address, topics }) => {
    const [topic, authorizer, nonce] = topics
    if (address !== asset || topic !== authorizationUsedTopic) return []
    if (authorizer === undefined || nonce === undefined) return []
    return [{ index, authorizer: readAddress(authorizer), nonce }]
  })
}

/**
 * The transfer that the token made while it carried this authorization out. EIP-3009 tokens log the authorization and
 * directly after it the transfer, in one call: no other transfer of the transaction is the authorization's own.
 */
export function readCarriedTransfer(
  logs: readonly Log[],
  asset: Hex,
  { authorizer, nonce }: Pick<UsedAuthorization, 'authorizer' | 'nonce'>,
): Transfer | undefined {
  const used = readUsedAuthorizations(logs, asset).find(
    (entry) => entry.authorizer === authorizer && entry.nonce === nonce,
  )
  if (used === undefined) return undefined
  return readTransfers(logs).find((entry) => entry.asset === asset && entry.index === used.index + 1)
}

/** An address as a log's topic has it. */
export function toTopic(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

function readAddress(topic: Hex): Hex {
  return `0x${topic.slice(26)}`
}
