import { encodeFunctionData, hashTypedData, hexToNumber, parseAbi, size, slice } from 'viem/utils'
import type { PaymentReason } from '../payment-reasons.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { toAtomic, toMicros } from '../token-amount.ts'
import type { Authorization, OfferedAuthorization } from '../wire/parse-payment.ts'
import type { Call } from './chain.ts'
import { unwrapSignature } from './signature-checker.ts'

/** How much longer than now an authorization has to be good, so that it can still be mined. */
const validForSecondsMin = 6n

/** Compares an authorization with our own terms: never with what its bearer says they are. */
export function checkTerms(
  { via, authorization }: OfferedAuthorization,
  priceMicros: number,
  { payTo, asset }: PaymentSettings,
): PaymentRefusal | undefined {
  const price = toAtomic(priceMicros, asset)
  const isForUs = authorization.to === payTo.toLowerCase() && authorization.from !== authorization.to
  if (!isForUs) return refuse('invalid_exact_evm_payload_recipient_mismatch')
  if (authorization.value < price) return refuse('invalid_exact_evm_payload_authorization_value')
  // The ledger counts in micros: what it cannot write down exactly, it could not find again on the chain.
  if (toAtomic(toMicros(authorization.value, asset), asset) !== authorization.value) {
    return refuse('invalid_exact_evm_payload_authorization_value')
  }
  // Version 1 names a maximum, so more is welcome and becomes credit; later formats name the amount.
  if (via === 'x402-v1' || authorization.value === price) return undefined
  return refuse('invalid_exact_evm_payload_authorization_value_mismatch')
}

/** Whether the authorization can be carried out now. */
export function checkTime(
  { validAfter, validBefore }: Authorization,
  nowMs: number,
): PaymentRefusal | undefined {
  const now = BigInt(Math.floor(nowMs / 1000))
  if (validAfter >= now) return refuse('invalid_exact_evm_payload_authorization_valid_after')
  if (validBefore < now + validForSecondsMin)
    return refuse('invalid_exact_evm_payload_authorization_valid_before')
  return undefined
}

/** What the payer signed: EIP-712 over EIP-3009's message in the token's domain. */
export function authorizationDigest(authorization: Authorization, { asset, chainId }: PaymentSettings): Hex {
  return hashTypedData({
    domain: { name: asset.name, version: asset.version, chainId, verifyingContract: asset.address },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
}

/** The call that moves the money. Keys sign 65 bytes, which every token takes as (v, r, s); wallets sign others. */
export function settlementCall(
  { authorization, signature }: Pick<OfferedAuthorization, 'authorization' | 'signature'>,
  { asset }: PaymentSettings,
): Call {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const common = [from, to, value, validAfter, validBefore, nonce] as const
  const bytes = unwrapSignature(signature)
  const functionName = 'transferWithAuthorization'
  if (size(bytes) !== 65) {
    const data = encodeFunctionData({ abi: [bytesOverload], functionName, args: [...common, bytes] })
    return { to: asset.address, data }
  }
  const v = hexToNumber(slice(bytes, 64))
  const parts = [v < 27 ? v + 27 : v, slice(bytes, 0, 32), slice(bytes, 32, 64)] as const
  const data = encodeFunctionData({ abi: [partsOverload], functionName, args: [...common, ...parts] })
  return { to: asset.address, data }
}

/** Why the token would not carry the authorization out, from the words of its revert. */
export function readRevert(message: string): PaymentReason {
  const found = revertReasons.find(([pattern]) => pattern.test(message))
  return found?.[1] ?? 'invalid_transaction_state'
}

const revertReasons: readonly (readonly [RegExp, PaymentReason])[] = [
  [/used or cancell?ed/i, 'invalid_exact_evm_payload_authorization_used'],
  [/exceeds balance|insufficient balance/i, 'insufficient_funds'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/out of gas|gas required exceeds/i, 'settlement_gas_too_high'],
  [/invalid signature/i, 'invalid_exact_evm_payload_signature'],
]

const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const [partsOverload, bytesOverload] = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
