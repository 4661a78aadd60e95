import {
  encodeFunctionData,
  isErc6492Signature,
  parseAbi,
  parseErc6492Signature,
  recoverAddress,
  size,
  slice,
} from 'viem/utils'
import { inTurn } from '../../lib/cooperative-scheduler.ts'
import type { PayingClient } from '../paying-client.ts'
import type { Hex } from '../payment-settings.ts'
import { toLowerCase, toQuantity } from './answers.ts'
import type { Chain } from './chain.ts'
import { RpcRejected } from './rpc.ts'
import type { VerificationLimiter } from './verification-limiter.ts'

export type SignatureVerdict = 'valid' | 'invalid' | 'undeployed'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const erc1271Magic = '0x1626ba7e'
/** More than any honest wallet needs to check a signature. */
const checkGasMax = 3_000_000

/** Shorter ones are no contract's either: contracts check at least one compact key signature. */
const signatureBytesMin = 64

export type SignatureChecker = ReturnType<typeof createSignatureChecker>

/** Verifies signatures of keys (ECDSA) and of contracts (ERC-1271). */
export function createSignatureChecker(chain: Chain | undefined, limiter: VerificationLimiter) {
  /**
   * Asks the chain only if it is not a key's signature and may be a contract's; that counts for the client's limit.
   * Without an RPC, signatures of contracts are invalid.
   */
  return async (
    signer: Hex,
    digest: Hex,
    signature: Hex,
    client: PayingClient,
  ): Promise<SignatureVerdict> => {
    if (await isSignedByKey(signer, digest, signature)) return 'valid'
    if (chain === undefined || size(signature) < signatureBytesMin) return 'invalid'
    if (chain.hasNoCode(signer)) return withoutContract(signature)
    return await limiter.run(
      client,
      () => askContract(chain, signer, digest, signature),
      (verdict) => verdict !== 'valid',
    )
  }
}

/** More contracts are not asked about one signature. */
const contractsMax = 16

export type SignerFinder = ReturnType<typeof createSignerFinder>

/**
 * Finds which of several wallets made a signature. Contracts are asked in the given order and only if the signature is no
 * key's, which counts once for the client's limit.
 */
export function createSignerFinder(chain: Chain | undefined, limiter: VerificationLimiter) {
  return async (
    wallets: readonly Hex[],
    digest: Hex,
    signature: Hex,
    client: PayingClient,
  ): Promise<Hex | undefined> => {
    const key = await recoverKey(digest, signature)
    if (key !== undefined && wallets.includes(key)) return key
    if (chain === undefined || size(signature) < signatureBytesMin) return undefined
    const contracts = wallets.filter((wallet) => !chain.hasNoCode(wallet)).slice(0, contractsMax)
    if (contracts.length === 0) return undefined
    async function ask(asked: Chain): Promise<Hex | undefined> {
      for (const wallet of contracts)
        if ((await askContract(asked, wallet, digest, signature)) === 'valid') return wallet
      return undefined
    }
    return await limiter.run(
      client,
      () => ask(chain),
      (signer) => signer === undefined,
    )
  }
}

async function askContract(
  chain: Chain,
  signer: Hex,
  digest: Hex,
  signature: Hex,
): Promise<SignatureVerdict> {
  if (!(await chain.hasCode(signer))) return withoutContract(signature)
  try {
    const args = [digest, unwrapSignature(signature)] as const
    const data = encodeFunctionData({ abi: erc1271, functionName: 'isValidSignature', args })
    const answer = await chain.call({ to: signer, data, gas: toQuantity(checkGasMax) })
    return answer.startsWith(erc1271Magic) ? 'valid' : 'invalid'
  } catch (error) {
    if (error instanceof RpcRejected) return 'invalid'
    throw error
  }
}

function withoutContract(signature: Hex): SignatureVerdict {
  return isErc6492Signature(signature) ? 'undeployed' : 'invalid'
}

/** The signature for a deployed wallet: without the deployment that ERC-6492 wraps around it. */
export function unwrapSignature(signature: Hex): Hex {
  if (!isErc6492Signature(signature)) return signature
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    // It ends with the ERC-6492 marker and is not wrapped.
    return signature
  }
}

/** Whether the signer's own key signed: recovered locally, without RPC. False for the malleable twin of a signature. */
export async function isSignedByKey(signer: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  return (await recoverKey(digest, signature)) === signer.toLowerCase()
}

/** The address of the key that signed, in lower case; undefined if no key did. */
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
