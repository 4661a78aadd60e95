import {
  encodeFunctionData,
  hashTypedData,
  hexToNumber,
  parseAbi,
  parseAbiParameters,
  size,
  slice,
} from 'viem/utils'
import type { PaymentReason } from '../payment-reasons.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import type { OfferedAuthorization, TransferAuthorization } from '../wire/parse-payment.ts'
import type { Call } from './answers.ts'
import { unwrapSignature } from './signature-checker.ts'

/** The EIP-712 digest that the payer signed: EIP-3009's message in the token's domain. */
export function authorizationDigest(
  authorization: TransferAuthorization,
  { asset, chainId }: PaymentSettings,
): Hex {
  return hashTypedData({
    domain: { name: asset.name, version: asset.version, chainId, verifyingContract: asset.address },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
}

/** The call that settles. A key's 65 bytes go as (v, r, s), which every token has; a contract's signature as bytes. */
export function settlementCall(
  { authorization, signature }: Pick<OfferedAuthorization, 'authorization' | 'signature'>,
  { asset }: PaymentSettings,
): Call {
  const { from, value, validAfter, validBefore, nonce } = authorization
  const common = [from, authorization.to, value, validAfter, validBefore, nonce] as const
  const bytes = unwrapSignature(signature)
  const to = asset.address
  if (size(bytes) !== 65)
    return { to, data: encodeFunctionData({ abi: [bytesOverload], args: [...common, bytes] }) }
  const v = hexToNumber(slice(bytes, 64))
  const parts = [v < 27 ? v + 27 : v, slice(bytes, 0, 32), slice(bytes, 32, 64)] as const
  return { to, data: encodeFunctionData({ abi: [partsOverload], args: [...common, ...parts] }) }
}

/** Why the token refuses the authorization, read from its revert message. */
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
  TransferWithAuthorization: parseAbiParameters(
    'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
  ),
}

const [partsOverload, bytesOverload] = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
