import { createHmac } from 'node:crypto'
import { hashMessage } from 'viem/utils'
import type { Hex } from '../payment-settings.ts'
import { decodeBase64Object } from './base64-json.ts'
import { isSameMac, type PaidRequest } from './request-binding.ts'

/** A login by wallet (the x402 extension sign-in-with-x): the address and what it signed. */
export interface SiwxLogin {
  readonly address: Hex
  readonly nonce: string
  readonly issuedAt: string
  readonly chainId: string
  readonly domain: string
  readonly uri: string
  readonly digest: Hex
  readonly signature: Hex
}

export const siwxHeader = 'sign-in-with-x'
const loginMaxAgeMs = 5 * 60_000

/** The part of a 402 by which a wallet can sign in. Its nonce is valid for this request only. */
export function siwxChallenge(request: PaidRequest, network: string, secret: Uint8Array, nowMs: number) {
  const { host, origin, pathname } = new URL(request.url)
  const issuedAt = new Date(nowMs).toISOString()
  const nonce = siwxNonce(request, issuedAt, secret)
  return {
    info: { domain: host, uri: `${origin}${pathname}`, version: '1', nonce, issuedAt },
    supportedChains: [{ chainId: network, type: 'eip191' }],
    schema: { type: 'object' },
  }
}

export function parseSiwx(header: string): SiwxLogin | undefined {
  const fields = decodeBase64Object(header.trim())
  if (fields === undefined || fields['type'] !== 'eip191') return undefined
  const { address, nonce, issuedAt, chainId, signature, domain, uri } = fields
  if (!isText(nonce) || !isText(issuedAt) || !isText(chainId) || !isText(domain) || !isText(uri))
    return undefined
  if (!isText(address) || !/^0x[0-9a-f]{40}$/i.test(address)) return undefined
  if (!isText(signature) || !/^0x(?:[0-9a-f]{2}){1,2048}$/i.test(signature)) return undefined
  const text = siweText(fields, chainId)
  if (text === undefined) return undefined
  return {
    address: address.toLowerCase() as Hex,
    nonce,
    issuedAt,
    chainId,
    domain,
    uri,
    digest: hashMessage(text),
    signature: signature as Hex,
  }
}

/** Whether the wallet signed our challenge for this request, in the last five minutes, for this site. */
export function answersChallenge(
  login: SiwxLogin,
  request: PaidRequest,
  network: string,
  secret: Uint8Array,
  nowMs: number,
): boolean {
  if (!isSameMac(siwxNonce(request, login.issuedAt, secret), login.nonce)) return false
  const { host, origin, pathname } = new URL(request.url)
  if (login.domain !== host || login.uri !== `${origin}${pathname}`) return false
  const ageMs = nowMs - Date.parse(login.issuedAt)
  return login.chainId === network && ageMs >= 0 && ageMs <= loginMaxAgeMs
}

function siwxNonce({ method, url }: PaidRequest, issuedAt: string, secret: Uint8Array): string {
  const mac = createHmac('sha256', secret).update(`sign-in\n${issuedAt}\n${method} ${url}`)
  return mac.digest('hex').slice(0, 32)
}

/**
 * The EIP-4361 message that the wallet signed. Not by `createSiweMessage` of viem: that one validates and checksums
 * the fields and reads the times as dates, while the signature covers the text as the wallet was shown it.
 */
function siweText(fields: Record<string, unknown>, chainId: string): string | undefined {
  const { domain, address, statement, uri, version, nonce, issuedAt } = fields
  const [, reference] = /^eip155:(\d{1,15})$/.exec(chainId) ?? []
  if (reference === undefined || !isText(domain) || !isText(uri)) return undefined
  const resources = fields['resources']
  const lines = [
    `${domain} wants you to sign in with your Ethereum account:`,
    String(address),
    '',
    ...(isText(statement) ? [statement, ''] : ['']),
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${reference}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...line('Expiration Time', fields['expirationTime']),
    ...line('Not Before', fields['notBefore']),
    ...line('Request ID', fields['requestId']),
    ...(Array.isArray(resources) ? ['Resources:', ...resources.map((entry) => `- ${entry}`)] : []),
  ]
  return lines.join('\n')
}

function line(name: string, value: unknown): readonly string[] {
  return isText(value) ? [`${name}: ${value}`] : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
