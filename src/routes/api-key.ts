import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { KeyIssuer } from '../access/key-issuer.ts'
import { keyDaysMax } from '../access/key-validity.ts'
import type { IssuedKey } from '../access/keys.ts'
import { invalidQuery, type ParameterError, Problem, rateLimited } from '../errors.ts'
import { json } from '../http/json.ts'
import { decodeQuery } from '../http/query.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { queryOf } from '../http/validated-queries.ts'
import { type Clock, dayMs, secondsUntil } from '../lib/clock.ts'
import { integer } from '../lib/fields.ts'
import { hmacHex } from '../lib/hmac-hex.ts'
import { queryPairs } from '../lib/query-pairs.ts'
import { operation } from '../site/openapi/operation.ts'

export interface ApiKeyDeps {
  readonly issuer: KeyIssuer
  readonly clock: Clock
}

const keyQuery = Type.Object({
  expires: Type.Optional(
    integer(1, keyDaysMax, {
      description: 'The days after which the key ends by itself',
      example: '90',
      whenMissing: 'it does not end',
    }),
  ),
})

const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const
const jsonType = { 'content-type': 'application/json' } as const
const endpoint = '/api/og'

/** `GET /api/key`: issues a key pair, with example commands that already carry it. */
export function apiKey({ issuer, clock }: ApiKeyDeps) {
  async function answer(days: number | undefined, context: RequestContext): Promise<Response> {
    const { request } = context
    if (!issuer.isOpen()) throw issuingClosed()
    context.isUnmadeForHead = true
    if (context.method === 'HEAD') return new Response(null, { headers: { ...privateHeaders, ...jsonType } })
    if (isPrefetch(request)) return new Response(null, { status: 204, headers: privateHeaders })
    const expiresAtMs = days === undefined ? null : clock.now() + days * dayMs
    const issue = await issuer.issue(context.clientAddress, { expiresAtMs })
    if (issue.issued) return json(document(issue.pair, context.baseUrl, clock.now()), privateHeaders)
    if (issue.error === 'issuing_closed') throw issuingClosed()
    const seconds = secondsUntil(issue.resetsAtMs, clock.now(), dayMs)
    throw rateLimited('Your address was issued its keys for today.', seconds)
  }
  const summary = 'Issues a key pair. The secret is shown this once.'
  const problems = ['invalid_query', 'rate_limited', 'issuing_closed'] as const
  return new Elysia({ name: 'api-key' }).get(
    '/api/key',
    ({ query, request }) => answer(query.expires, contextOf(request)),
    {
      query: queryOf(keyQuery, readKeyQuery),
      ...operation('keys', 'issueKey', summary, { schema: 'KeyPair', problems }),
    },
  )
}

/** Throws the `Problem` that names whatever cannot be granted as it was asked for. */
function readKeyQuery({ rawQuery }: RequestContext): Static<typeof keyQuery> {
  const decoded = decodeQuery(keyQuery, rawQuery)
  const wrong = 'errors' in decoded ? decoded.errors : []
  const isRead = 'value' in decoded && decoded.value.expires !== undefined
  const errors = [...wrong, ...queryPairs(rawQuery).flatMap(({ name }) => ignored(name, isRead) ?? [])]
  if ('errors' in decoded || errors.length > 0) throw invalidQuery(errors)
  return decoded.value
}

/** The mistake in a name that would be ignored although it asks for a lesser key. `isRead`: an end was read. */
function ignored(name: string, isRead: boolean): ParameterError | undefined {
  const meant = name.toLowerCase().replace(/^(amp;)+/, '')
  if (meant === 'hosts') return { parameter: name, message: 'is not taken: keys cannot be bound to hosts' }
  if (meant !== 'expires' || name === meant || isRead) return undefined
  return { parameter: name, message: 'must be written as expires' }
}

function issuingClosed(): Problem {
  return new Problem('issuing_closed', 'The operator hands out the keys of this service.')
}

/** Whether a browser loads the URL ahead of its user, who may never open it: that must not use up a key. */
function isPrefetch({ headers }: Request): boolean {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name) ?? '')
  return /prefetch|prerender|preview/i.test(purposes.join(' '))
}

function document({ key, secret }: IssuedKey, baseUrl: string, nowMs: number) {
  const { id, expiresAtMs } = key
  const unixSeconds = Math.floor(nowMs / 1000)
  const payload = `${unixSeconds}.GET ${endpoint}`
  const sig = hmacHex(secret, payload)
  const url = `${baseUrl}${endpoint}?title=Hello&key=${id}&t=${unixSeconds}&sig=${sig}`
  return {
    id,
    secret,
    note: 'Keep the secret: it is shown this once and is stored nowhere. Sign on your server or in your build, never in a page.',
    signed_example: { endpoint, payload_to_sign: payload, unix_seconds: unixSeconds, url },
    examples: [`curl -fsS -o card.svg '${url}'`, ...examples(id, secret, baseUrl)],
    upgrade: `${baseUrl}/api/upgrade?key=${id}`,
    ...(expiresAtMs !== null && { expires_at: new Date(expiresAtMs).toISOString() }),
  }
}

/**
 * Shell commands that work as they stand where curl and openssl are installed. They have no double quote and no backslash,
 * which JSON would escape: people copy them out of the JSON as it is. What stands between the quotes is split into no
 * words, because it has no space.
 */
function examples(id: string, secret: string, baseUrl: string): string[] {
  const hmac = `openssl dgst -sha256 -hmac '${secret}' -r`
  return [
    `t=$(date +%s); curl -fsS -o card.svg '${baseUrl}${endpoint}?title=Hello&key=${id}&t='$t'&sig='$(printf '%s.GET ${endpoint}' $t | ${hmac} | cut -c1-64)`,
    `payload=$(printf 'title=Hello' | openssl base64 -A | tr '+/' '-_' | tr -d '='); sig=$(printf 'GET /i/og/${id}/%s.svg' $payload | ${hmac} | cut -c1-32); curl -fsS -o card.svg '${baseUrl}/i/og/${id}/'$payload/$sig.svg`,
    `curl -fsS '${baseUrl}/api/usage?key=${id}'`,
  ]
}
