import { hashMessage } from 'viem/utils'
import type { Hex } from '../payment-settings.ts'
import type { PaidRequest } from './request-binding.ts'

/** The parsed `X-Payment-Proof` header. */
export interface Proof {
  readonly issuedSeconds: number
  readonly signature: Hex
}

const proofMaxAgeMs = 5 * 60_000

export function parseProof(header: string): Proof | undefined {
  const match = /^t=(\d{1,12}),\s*sig=(0x(?:[0-9a-f]{2}){1,2048})$/i.exec(header.trim())
  const [, issued, signature] = match ?? []
  if (issued === undefined || signature === undefined) return undefined
  return { issuedSeconds: Number(issued), signature: signature as Hex }
}

export function isFresh(proof: Proof, nowMs: number): boolean {
  return Math.abs(nowMs - proof.issuedSeconds * 1000) <= proofMaxAgeMs
}

interface ProofTerms {
  /** In lower case. */
  readonly txHash: string
  readonly chainId: number
  readonly payTo: string
  readonly request: PaidRequest
  readonly issuedSeconds: number | string
}

/** The six lines that a payer signs (EIP-191) to draw on a transfer. */
export function proofText({ txHash, chainId, payTo, request, issuedSeconds }: ProofTerms): string {
  return [
    'x402 payment proof',
    `tx: ${txHash}`,
    `network: eip155:${chainId}`,
    `payTo: ${payTo.toLowerCase()}`,
    `request: ${request.method} ${request.url}`,
    `issued: ${issuedSeconds}`,
  ].join('\n')
}

export function proofDigest(terms: ProofTerms): Hex {
  return hashMessage(proofText(terms))
}
