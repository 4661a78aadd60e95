import { createHash } from 'node:crypto'
import { hashMessage } from 'viem/utils'
import { hmacHex } from '../../lib/password.ts'
import type { Hex } from '../payment-settings.ts'

export interface PaidRequest {
  readonly method: string
  readonly url: string
  /** The body's part of the request, if the URL does not say everything. */
  readonly subject?: string
}

export interface PricedRequest extends PaidRequest {
  readonly priceMicros: number
  /** The name that statistics count the request under: `og`, `badge`, … */
  readonly endpoint: string
}

/** Four bytes that mark a binding at the end of calldata, so that other calldata is not mistaken for one. */
const marker = '6d6d6b31'
const bindingDigits = 32

export function requestKey({ method, url }: PaidRequest): string {
  return createHash('sha256').update(`${method} ${url}`).digest('hex')
}

/** Calldata suffix that binds a transfer to this request: it pays for no other. */
export function dataSuffixFor(request: PaidRequest, secret: Uint8Array): Hex {
  return `0x${marker}${bindingFor(request, secret)}`
}

/** MAC of a request. It covers the subject too: calldata is public before it is mined, and would pay for anybody's. */
export function bindingFor({ method, url, subject }: PaidRequest, secret: Uint8Array): string {
  const about = subject === undefined ? '' : `\n${subject}`
  return hmacHex(secret, `data-suffix\n${method} ${url}${about}`).slice(0, bindingDigits)
}

export function bindingOf(input: Hex): string | undefined {
  const suffix = input.slice(-(marker.length + bindingDigits))
  return suffix.startsWith(marker) ? suffix.slice(marker.length) : undefined
}

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
