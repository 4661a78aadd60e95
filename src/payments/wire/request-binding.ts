import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Hex } from '../payment-settings.ts'

/** The request that money is spent on: method and absolute URL. */
export interface PaidRequest {
  readonly method: string
  readonly url: string
  /** What the body asks for, where not all of it is in the URL. */
  readonly subject?: string
}

/** A request that has a price. */
export interface PricedRequest extends PaidRequest {
  readonly priceMicros: number
  /** The name that statistics count the request under: `og`, `badge`, … */
  readonly endpoint: string
}

/** Four bytes in front of what ties a transfer to one request, so that other calldata is not mistaken for it. */
const marker = '6d6d6b31'
const bindingDigits = 32

/** The same for the same request; it tells nothing about it. */
export function requestKey({ method, url }: PaidRequest): string {
  return createHash('sha256').update(`${method} ${url}`).digest('hex')
}

/** What a transfer's calldata may end with, so that it pays for this request and no other. */
export function dataSuffixFor(request: PaidRequest, secret: Uint8Array): Hex {
  return `0x${marker}${bindingFor(request, secret)}`
}

/** Calldata is public before it is mined: it binds to the subject as well, so that nobody else's is bought with it. */
export function bindingFor({ method, url, subject }: PaidRequest, secret: Uint8Array): string {
  const about = subject === undefined ? '' : `\n${subject}`
  const mac = createHmac('sha256', secret).update(`data-suffix\n${method} ${url}${about}`)
  return mac.digest('hex').slice(0, bindingDigits)
}

/** The binding at the end of a transfer's calldata, if there is one. */
export function bindingOf(input: Hex): string | undefined {
  const suffix = input.slice(-(marker.length + bindingDigits))
  return suffix.startsWith(marker) ? suffix.slice(marker.length) : undefined
}

/** Compares in constant time, so that nobody can guess a MAC byte by byte. */
export function isSameMac(expected: string, offered: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(offered)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
