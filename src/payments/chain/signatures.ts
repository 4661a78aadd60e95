import {
  encodeFunctionData,
  hashTypedData,
  hexToNumber,
  isErc6492Signature,
  parseAbi,
  parseAbiParameters,
  parseErc6492Signature,
  recoverAddress,
  size,
  slice,
} from 'viem/utils'
import { inTurn } from '../../lib/cooperative-scheduler.ts'
import type { VerificationLimiter } from '../payment-limits.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import type { PayingClient } from '../payments.ts'
import type { OfferedAuthorization, TransferAuthorization } from '../wire/parse-payment.ts'
import { type Call, toLowerCase, toQuantity } from './answers.ts'
import type { Chain } from './chain.ts'
import { RpcRejected } from './rpc.ts'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const erc1271Magic = '0x1626ba7e'
const checkGasMax = 3_000_000

/** Shorter ones are no contract's either: contracts check at least one compact key signature. */
const signatureBytesMin = 64
const contractsMax = 16

/** `undeployed`: it is that of a smart wallet which is not there yet. */
type NoSigner = 'invalid' | 'undeployed'

export type SignerFinder = ReturnType<typeof createSignerFinder>

/** Finds the wallet that made a signature, of a key (ECDSA) or a contract (ERC-1271), which is asked only if it is no key's. */
export function createSignerFinder(chain: Chain | undefined, limiter: VerificationLimiter) {
  return async (wallets: readonly Hex[], digest: Hex, signature: Hex, client: PayingClient) => {
    const key = await recoverKey(digest, signature)
    if (key !== undefined && wallets.includes(key)) return key
    if (chain === undefined || size(signature) < signatureBytesMin) return 'invalid'
    const contracts = wallets.filter((wallet) => !chain.hasNoCode(wallet)).slice(0, contractsMax)
    if (contracts.length === 0) return withoutContract(signature)
    return await limiter.run(
      client,
      async () => {
        let verdict: Hex | NoSigner = 'invalid'
        for (const wallet of contracts) {
          verdict = await askContract(chain, wallet, digest, signature)
          if (verdict === wallet) break
        }
        return verdict
      },
      (verdict) => verdict === 'invalid' || verdict === 'undeployed',
    )
  }
}

async function askContract(chain: Chain, signer: Hex, digest: Hex, signature: Hex): Promise<Hex | NoSigner> {
  if (!(await chain.hasCode(signer))) return withoutContract(signature)
  try {
    const args = [digest, unwrapSignature(signature)] as const
    const data = encodeFunctionData({ abi: erc1271, functionName: 'isValidSignature', args })
    const answer = await chain.call({ to: signer, data, gas: toQuantity(checkGasMax) })
    return answer.startsWith(erc1271Magic) ? signer : 'invalid'
  } catch (error) {
    if (error instanceof RpcRejected) return 'invalid'
    throw error
  }
}

function withoutContract(signature: Hex): NoSigner {
  return isErc6492Signature(signature) ? 'undeployed' : 'invalid'
}

/** The signature for a deployed wallet: without the deployment that ERC-6492 wraps around it. */
function unwrapSignature(signature: Hex): Hex {
  if (!isErc6492Signature(signature)) return signature
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    // It ends with the ERC-6492 marker and is not wrapped.
    return signature
  }
}

/** Asks no RPC. False for the malleable twin of a signature. */
export async function isSignedByKey(signer: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  return (await recoverKey(digest, signature)) === signer.toLowerCase()
}

async function recoverKey(digest: Hex, signature: Hex): Promise<Hex | undefined> {
  if (size(signature) !== 65 || BigInt(slice(signature, 32, 64)) > halfOrder) return undefined
  try {
    return toLowerCase(await recoverNext(digest, signature))
  } catch {
    return undefined
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other: viem imports its curves for each, and all who waited for that would go on in the same turn. */
function recoverNext(hash: Hex, signature: Hex): Promise<Hex> {
  const signer = last.then(() => inTurn(() => recoverAddress({ hash, signature })))
  last = signer.catch(() => {})
  return signer
}

export function authorizationDigest(message: TransferAuthorization, settings: PaymentSettings): Hex {
  const typed = { types: authorizationTypes, primaryType: 'TransferWithAuthorization', message } as const
  return hashTypedData({ domain: domainOf(settings), ...typed })
}

/** The token's domain, in which its authorizations are signed (EIP-712). */
export function domainOf({ asset, chainId }: PaymentSettings) {
  return { name: asset.name, version: asset.version, chainId, verifyingContract: asset.address }
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
