import { createHmac } from 'node:crypto'
import { hashMessage } from 'viem/utils'
import { isHex, toLowerCase } from '../chain/hex-values.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { Hex } from '../payment-settings.ts'
import { decodeBase64Object } from './base64-json.ts'
import { isSameMac, type PaidRequest } from './request-binding.ts'

/** The members of a login that have to be there, all text. */
const required = ['address', 'signature', 'chainId', 'domain', 'uri', 'nonce', 'issuedAt'] as const

/** A login by wallet (the x402 extension sign-in-with-x): the address in lower case and what it signed. */
export interface SiwxLogin extends Readonly<Record<(typeof required)[number], string>> {
  readonly address: Hex
  readonly signature: Hex
  readonly digest: Hex
}

export const siwxHeader = 'sign-in-with-x'
const loginMaxAgeMs = 5 * 60_000

/** The part of a 402 by which a wallet can sign in. Its nonce is valid for this request only. */
export function siwxChallenge(
  request: PaidRequest,
  { settings, secret }: Pick<PaymentContext, 'settings' | 'secret'>,
  nowMs: number,
) {
  const { host, origin, pathname } = new URL(request.url)
  const issuedAt = new Date(nowMs).toISOString()
  const nonce = siwxNonce(request, issuedAt, secret)
  return {
    info: { domain: host, uri: `${origin}${pathname}`, version: '1', nonce, issuedAt },
    supportedChains: [{ chainId: settings.network, type: 'eip191' }],
    schema: { type: 'object' },
  }
}

export function parseSiwx(header: string): SiwxLogin | undefined {
  const fields = decodeBase64Object(header.trim())
  if (fields?.['type'] !== 'eip191' || !required.every((name) => isText(fields[name]))) return undefined
  const { address, signature, ...login } = fields as Omit<SiwxLogin, 'digest'>
  if (!isHex(address, 20) || !isHex(signature, 1, 2048)) return undefined
  const text = siweText(fields)
  if (text === undefined) return undefined
  return { ...login, address: toLowerCase(address), signature, digest: hashMessage(text) }
}

/** Whether the wallet signed our challenge for this request, in the last five minutes, for this site. */
export function answersChallenge(
  login: SiwxLogin,
  request: PaidRequest,
  { settings, secret, clock }: PaymentContext,
): boolean {
  if (!isSameMac(siwxNonce(request, login.issuedAt, secret), login.nonce)) return false
  const { host, origin, pathname } = new URL(request.url)
  if (login.domain !== host || login.uri !== `${origin}${pathname}`) return false
  const ageMs = clock.now() - Date.parse(login.issuedAt)
  return login.chainId === settings.network && ageMs >= 0 && ageMs <= loginMaxAgeMs
}

function siwxNonce({ method, url }: PaidRequest, issuedAt: string, secret: Uint8Array): string {
  const mac = createHmac('sha256', secret).update(`sign-in\n${issuedAt}\n${method} ${url}`)
  return mac.digest('hex').slice(0, 32)
}

/**
 * The EIP-4361 message that the wallet signed. Not by `createSiweMessage` of viem: that one validates and checksums
 * the fields and reads the times as dates, while the signature covers the text as the wallet was shown it.
 */
function siweText(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { domain, address, statement, uri, version, chainId, nonce, issuedAt, resources } = fields
  const [, reference] = /^eip155:(\d{1,15})$/.exec(String(chainId)) ?? []
  const listed = Array.isArray(resources) ? resources : []
  // An object as text says nothing, and making one may throw.
  if (reference === undefined || [version, ...listed].some((value) => typeof value === 'object'))
    return undefined
  const lines = [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
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
    ...(Array.isArray(resources) ? ['Resources:', ...listed.map((entry) => `- ${entry}`)] : []),
  ]
  return lines.join('\n')
}

function line(name: string, value: unknown): readonly string[] {
  return isText(value) ? [`${name}: ${value}`] : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
