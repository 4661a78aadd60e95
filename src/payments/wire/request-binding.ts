import { createHash, timingSafeEqual } from 'node:crypto'
import { hmacHex } from '../../lib/hmac-hex.ts'
import type { Hex } from '../payment-settings.ts'

/** The request that money is spent on: method and absolute URL. */
export interface PaidRequest {
  readonly method: string
  readonly url: string
  /** The body's part of the request, if the URL does not say everything. */
  readonly subject?: string
}

/** A request that has a price. */
export interface PricedRequest extends PaidRequest {
  readonly priceMicros: number
  /** The name that statistics count the request under: `og`, `badge`, … */
  readonly endpoint: string
}

/** Four bytes that mark a binding at the end of calldata, so that other calldata is not mistaken for one. */
const marker = '6d6d6b31'
const bindingDigits = 32

/** Hash that identifies a request without revealing it. */
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

/** The binding at the end of a transfer's calldata; undefined if there is none. */
export function bindingOf(input: Hex): string | undefined {
  const suffix = input.slice(-(marker.length + bindingDigits))
  return suffix.startsWith(marker) ? suffix.slice(marker.length) : undefined
}

/** Compares in constant time, so that nobody can guess a MAC byte by byte. */
export function isSameMac(expected: string, offered: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(offered)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
