import {
  encodeFunctionData,
  isErc6492Signature,
  parseAbi,
  parseErc6492Signature,
  recoverAddress,
  size,
  slice,
} from 'viem/utils'
import { type Chain, toQuantity } from './chain.ts'
import { RpcRejected } from './rpc-endpoint.ts'
import type { Hex } from './settings.ts'

export type SignatureVerdict = 'valid' | 'invalid' | 'undeployed'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const erc1271Magic = '0x1626ba7e'
/** More than any honest wallet needs to check a signature, and no burden for the node that is asked. */
const vouchGasMax = 3_000_000

/**
 * Whether `signer` signed the digest: a key by itself, or a contract that says so (ERC-1271). Only contracts cost
 * a call; without a chain they are not valid. A malleable twin of a good signature is invalid.
 */
export async function checkSignature(
  signer: Hex,
  digest: Hex,
  signature: Hex,
  chain: Pick<Chain, 'code' | 'call'> | undefined,
): Promise<SignatureVerdict> {
  if (await isOwnSignature(signer, digest, signature)) return 'valid'
  if (chain === undefined) return 'invalid'
  const deployed = size(await chain.code(signer)) > 0
  if (!deployed) return isErc6492Signature(signature) ? 'undeployed' : 'invalid'
  try {
    const args = [digest, unwrap(signature)] as const
    const data = encodeFunctionData({ abi: erc1271, functionName: 'isValidSignature', args })
    const answer = await chain.call({ to: signer, data, gas: toQuantity(vouchGasMax) })
    return answer.startsWith(erc1271Magic) ? 'valid' : 'invalid'
  } catch (error) {
    if (error instanceof RpcRejected) return 'invalid'
    throw error
  }
}

/** The signature that a deployed wallet understands: without what would have deployed it (ERC-6492). */
export function unwrap(signature: Hex): Hex {
  return isErc6492Signature(signature) ? parseErc6492Signature(signature).signature : signature
}

async function isOwnSignature(signer: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65 || BigInt(slice(signature, 32, 64)) > halfOrder) return false
  try {
    const recovered = await recoverAddress({ hash: digest, signature })
    return recovered.toLowerCase() === signer.toLowerCase()
  } catch {
    return false
  }
}
