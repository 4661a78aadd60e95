import { encodeFunctionData, getAbiItem, pad, parseAbi, toEventSelector } from 'viem/utils'
import type { PaymentReason } from '../payment-reasons.ts'
import { type Hex, type PaymentSettings, termsInLowerCase, toMicros } from '../payment-settings.ts'
import type { ChainLog, LogTopics, Receipt } from './answers.ts'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])
const transferTopic = eventTopic('Transfer')
const usedTopic = eventTopic('AuthorizationUsed')
const canceledTopic = eventTopic('AuthorizationCanceled')

export function balanceCall(owner: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
}

export function authorizationStateCall(authorizer: Hex, nonce: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'authorizationState', args: [authorizer, nonce] })
}

export function authorizationTopics({ payer, nonce }: Readonly<Record<'payer' | 'nonce', Hex>>): LogTopics {
  return [[usedTopic, canceledTopic], pad(payer), nonce]
}

type Transfer = Readonly<ReturnType<typeof readTransfers>[number]>

/** All ERC-20 transfers in a receipt, of any token. Logs of NFTs, which have a fourth topic, are none. */
function readTransfers(logs: readonly ChainLog[]) {
  return logs.flatMap(({ index, address, topics, data }) => {
    const [topic, from, to] = topics
    if (topic !== transferTopic || topics.length !== 3 || from === undefined || to === undefined) return []
    if (data.length !== 66) return []
    return [{ index, asset: address, from: readAddress(from), to: readAddress(to), value: BigInt(data) }]
  })
}

/** The EIP-3009 authorizations of this token that the transaction used, with the index of each log. */
function readUsedAuthorizations(logs: readonly ChainLog[], asset: Hex) {
  return logs.flatMap(({ index, address, topics }) => {
    const [topic, authorizer, nonce] = topics
    if (address !== asset || topic !== usedTopic) return []
    if (authorizer === undefined || nonce === undefined) return []
    return [{ index, authorizer: readAddress(authorizer), nonce }]
  })
}

/** Indexes of the transfers beside each `AuthorizationUsed`, none of two authorizations. Undefined if one has no transfer. */
function readAuthorizedTransfers(logs: readonly ChainLog[], asset: Hex) {
  const transfers = readTransfers(logs).filter((entry) => entry.asset === asset)
  const senders = new Map(transfers.map(({ index, from }) => [index, from]))
  const authorized = new Set<number>()
  for (const { index, authorizer } of readUsedAuthorizations(logs, asset)) {
    const own = [index + 1, index - 1].find(
      (neighbour) => senders.get(neighbour) === authorizer && !authorized.has(neighbour),
    )
    if (own === undefined) return undefined
    authorized.add(own)
  }
  return authorized
}

/** EIP-3009 tokens emit AuthorizationUsed and directly after it the Transfer: no other transfer is the authorization's own. */
export function readSettledTransfer(
  logs: readonly ChainLog[],
  asset: Hex,
  { payer, nonce }: Readonly<Record<'payer' | 'nonce', Hex>>,
): Transfer | undefined {
  const used = readUsedAuthorizations(logs, asset).find(
    (entry) => entry.authorizer === payer && entry.nonce === nonce,
  )
  return used && readTransfers(logs).find((entry) => entry.asset === asset && entry.index === used.index + 1)
}

function readAddress(topic: Hex): Hex {
  return `0x${topic.slice(26)}`
}

function eventTopic(eventName: 'Transfer' | 'AuthorizationUsed' | 'AuthorizationCanceled'): Hex {
  return toEventSelector(getAbiItem({ abi, name: eventName }))
}

export interface PayerTransfers {
  readonly payer: Hex
  /** In the token's atomic units. */
  readonly value: bigint
  readonly amountMicros: number
  readonly logIndexes: readonly number[]
}

/** The plain transfers that paid us, or why there are none. Transfers of signed authorizations are payments of their own. */
export function readPayments(receipt: Receipt, settings: Pick<PaymentSettings, 'asset' | 'payTo'>) {
  const { asset, payTo } = termsInLowerCase(settings)
  if (!receipt.succeeded) return 'payment_tx_failed'
  const authorized = readAuthorizedTransfers(receipt.logs, asset)
  if (authorized === undefined) return 'payment_made_by_authorization'
  const transfers = readTransfers(receipt.logs).filter(({ index }) => !authorized.has(index))
  const ours = transfers.filter(
    (entry) => entry.asset === asset && entry.to === payTo && entry.from !== payTo,
  )
  if (ours.length === 0)
    return authorized.size > 0 ? 'payment_made_by_authorization' : whyNot(transfers, asset, payTo)
  return [...Map.groupBy(ours, ({ from }) => from)].map(([payer, own]) => {
    const value = sumOf(own)
    const logIndexes = own.map(({ index }) => index)
    return { payer, value, amountMicros: toMicros(value, settings.asset), logIndexes }
  })
}

export function sumOf(transfers: readonly Pick<Transfer, 'value'>[]): bigint {
  return transfers.reduce((sum, { value }) => sum + value, 0n)
}

function whyNot(transfers: readonly Transfer[], asset: Hex, payTo: Hex): PaymentReason {
  if (transfers.some((entry) => entry.asset === asset && entry.to !== payTo)) return 'payment_wrong_recipient'
  if (transfers.some((entry) => entry.asset !== asset && entry.to === payTo)) return 'payment_wrong_asset'
  return 'payment_no_transfer'
}
