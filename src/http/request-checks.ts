import { isIP } from 'node:net'
import { Problem } from '../errors.ts'
import { rangeMatcher } from '../lib/client-addresses.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import type { RequestHead } from './request-context.ts'

export interface HostRules {
  /** May have a path; undefined serves every well-formed host. */
  readonly baseUrl?: string | undefined
  readonly allowedHosts: readonly string[]
}

const wellFormed = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:\d{1,5})?$/
/** The longest name in DNS, and a port. */
const hostCharsMax = 253 + 6
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/** Turns the Host header into the base URL. Throws before routing, because a crafted host moves the path that routers find. */
export function createHostCheck({ baseUrl, allowedHosts }: HostRules) {
  const listed = new Set(allowedHosts)
  if (baseUrl !== undefined) listed.add(new URL(baseUrl).host)

  function check(host: string): void {
    // A port that is too large or a wrong IPv6 address is refused too, because pages build URLs with the host.
    const isHost = host.length <= hostCharsMax && wellFormed.test(host) && URL.canParse(`http://${host}`)
    if (!isHost) throw new Problem('invalid_host', 'The Host header is not well formed.')
    if (baseUrl === undefined || listed.has(host) || loopback.test(host)) return
    const detail = 'This host is not served here. The operator names others in BASE_URL or ALLOWED_HOSTS.'
    throw new Problem('invalid_host', detail)
  }

  /** Most requests have the host of the one before. */
  let last: { readonly header: string; readonly isSecure: boolean; readonly baseUrl: string } | undefined

  return (hostHeader: string | null, isSecure: boolean): string => {
    if (last !== undefined && hostHeader === last.header && isSecure === last.isSecure) return last.baseUrl
    // Health checks over HTTP/1.0 send no Host header.
    const host = hostHeader?.toLowerCase() ?? 'localhost'
    check(host)
    const base = baseUrl ?? (isSecure ? 'https://' : 'http://') + host
    if (hostHeader !== null) last = { header: hostHeader, isSecure, baseUrl: base }
    return base
  }
}

/** Returns the address of the other end of the request's connection. It costs a system call. */
export type SocketAddress = (request: Request) => string

export interface Peer {
  readonly address?: string
  /** The caller reached us, or the trusted proxy before us, by https. */
  readonly isSecure: boolean
}

/** Trusted proxies alone are believed, and of X-Forwarded-For the last untrusted address: callers make up the others. */
export function createPeerReader(trustedProxies: readonly string[]) {
  const trusted = trustedProxies.length === 0 ? undefined : rangeMatcher(trustedProxies)
  return (request: Request, socketAddress: SocketAddress): Peer => {
    const isSecure = request.url.startsWith('https:')
    if (trusted === undefined) return isSecure ? secureSocket : plainSocket
    const address = withoutPort(socketAddress(request))
    if (!trusted(address)) return { address, isSecure }
    const forwarded = request.headers.get('x-forwarded-for')?.split(',').map(withoutPort).filter(isIP) ?? []
    const caller = forwarded.findLast((hop) => !trusted(hop)) ?? forwarded[0] ?? address
    const scheme = request.headers.get('x-forwarded-proto')?.trim().toLowerCase()
    return { address: caller, isSecure: isSecure || scheme === 'https' }
  }
}

const plainSocket: Peer = { isSecure: false }
const secureSocket: Peer = { isSecure: true }

/** The address without spaces, port, brackets and the IPv4-in-IPv6 prefix. */
export function withoutPort(address: string): string {
  if (!/[\s[\]:]/.test(address)) return address
  return address
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Throws for a path that a proxy may take for another. @param holdsText an encoded slash is part of a picture's text */
export function checkPath(path: string, holdsText: boolean): void {
  if (!suspicious.test(path)) return
  // Only ASCII is decoded, because nothing is asked about other characters.
  const decoded = (code: string) => String.fromCharCode(Number.parseInt(code.slice(1), 16))
  const segments = path.split('/').map((segment) => segment.replace(/%[0-7][\da-f]/gi, decoded))
  const parts = holdsText ? segments.flatMap((segment) => segment.split('/')) : segments
  if (parts.some((part) => part === '.' || part === '..' || forbidden.test(part))) throw wrongPath
}

const suspicious = /[\\\p{Cc}]|%(?:[01][\da-f]|2[ef]|5c|7f|c2%[89])|\/\.\.?(?:\/|$)/iu

const forbidden = /[/\\\p{Cc}]|%c2%[89][\da-f]/iu

const wrongPathDetail = 'The path has . or .. in it, an encoded slash or backslash, or a control character.'
const wrongPath = new Problem('invalid_path', wrongPathDetail)

const headBytesMax = 16 * 1024
const bodyBytesMax = 64 * 1024
/** The operator may revoke a thousand keys by one form. */
const formFieldsMax = 1_100

/** Throws for a large head or declared body, unless the handler bounds the body. An undeclared one is measured as it is read. */
export function checkSizes({ bytes, bodyBytes }: RequestHead, handlerReadsBody = false): void {
  if (bytes > headBytesMax)
    throw new Problem('too_large', 'The URL and all headers together may have 16 KiB.', { status: 431 })
  if (bodyBytes > bodyBytesMax && !handlerReadsBody) throw bodyTooLarge()
}

/** Throws as soon as the body is too large, or when its caller goes away before its end. Undefined if there is none. */
export async function readBody(request: Request, { bodyBytes }: Pick<RequestHead, 'bodyBytes'>) {
  // A stream allocates 256 KiB for every body in Bun, and a hundred of them make the garbage collector run.
  if (bodyBytes > 0 && !request.headers.has('transfer-encoding'))
    return new Uint8Array(await request.arrayBuffer().catch(cutOff))
  return await inTurn(() =>
    request.body === null ? undefined : readAll(request.body.getReader(), bodyBytesMax, bodyTooLarge),
  )
}

/** Reads into one growing buffer, because many small chunks take far more memory than their bytes. */
export async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
  tooLarge: () => Problem,
  bytesExpected = bodyBytesMax,
): Promise<Buffer<ArrayBuffer>> {
  let held = Buffer.alloc(bytesExpected)
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(cutOff)
    if (done) return held.subarray(0, length)
    const byteLength = length + value.length
    if (byteLength > bytesMax) {
      // The rest is not read. A connection that has gone needs no word of it.
      reader.cancel().catch(() => {})
      throw tooLarge()
    }
    if (byteLength > held.length)
      held = Buffer.concat([held.subarray(0, length)], Math.max(held.length * 2, byteLength))
    held.set(value, length)
    length = byteLength
  }
}

export function checkFields(body: Uint8Array, contentType: string | null): void {
  if (contentType !== null && hasNoFields.test(contentType)) return
  let count = 1
  for (let at = body.indexOf(ampersand); at !== -1; at = body.indexOf(ampersand, at + 1)) {
    count += 1
    if (count > formFieldsMax)
      throw new Problem('invalid_body', `A form may have ${formFieldsMax.toLocaleString('en')} fields.`)
  }
}

const ampersand = '&'.charCodeAt(0)

/** Bodies of any other type are read as forms. */
const hasNoFields = /json|^multipart\//i

/** Throws the problem of a body whose end never came. Nobody reads the response: its status is for the log. */
export function cutOff(cause: unknown): never {
  throw new Problem('invalid_body', 'The body was cut off.', { status: 499, cause })
}

function bodyTooLarge(): Problem {
  return new Problem('too_large', 'A body may have 64 KiB.')
}
