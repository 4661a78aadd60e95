import { createHmac } from 'node:crypto'
import { Elysia } from 'elysia'
import type { KeyIssuer } from '../access/key-issuer.ts'
import type { KeyPair } from '../access/keys.ts'
import { Problem, rateLimited } from '../errors.ts'
import { json } from '../http/json.ts'
import { contextOf } from '../http/request-context.ts'
import { type Clock, dayMs, secondsUntil } from '../lib/clock.ts'
import { operation } from '../site/openapi/operation.ts'

export interface ApiKeyDeps {
  readonly issuer: KeyIssuer
  readonly clock: Clock
}

const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const
const jsonType = { 'content-type': 'application/json' } as const
const endpoint = '/api/og'

/** `GET /api/key`: issues a key pair, with example commands that already carry it. */
export function apiKey({ issuer, clock }: ApiKeyDeps) {
  async function answer({ request }: { readonly request: Request }): Promise<Response> {
    const context = contextOf(request)
    context.isUnmadeForHead = true
    if (context.method === 'HEAD') return new Response(null, { headers: { ...privateHeaders, ...jsonType } })
    if (isPrefetch(request)) return new Response(null, { status: 204, headers: privateHeaders })
    const issue = await issuer.issue(context.clientAddress)
    if (issue.issued) return json(document(issue.pair, context.baseUrl, clock.now()), privateHeaders)
    if (issue.error === 'issuing_closed')
      throw new Problem('issuing_closed', 'The operator hands out the keys of this service.')
    const seconds = secondsUntil(issue.resetsAtMs, clock.now(), dayMs)
    throw rateLimited('Your address was issued its keys for today.', seconds)
  }
  const summary = 'Issues a key pair. The secret is shown this once.'
  const problems = ['rate_limited', 'issuing_closed'] as const
  return new Elysia({ name: 'api-key' }).get(
    '/api/key',
    answer,
    operation('keys', 'issueKey', summary, { schema: 'KeyPair', problems }),
  )
}

/** Whether a browser loads the URL ahead of its user, who may never open it: that must not use up a key. */
function isPrefetch({ headers }: Request): boolean {
  const purposes = ['sec-purpose', 'purpose', 'x-moz'].map((name) => headers.get(name) ?? '')
  return /prefetch|prerender|preview/i.test(purposes.join(' '))
}

function document({ key, secret }: KeyPair, baseUrl: string, nowMs: number) {
  const unixSeconds = Math.floor(nowMs / 1000)
  const payload = `${unixSeconds}.GET ${endpoint}`
  const sig = createHmac('sha256', secret).update(payload).digest('hex')
  const url = `${baseUrl}${endpoint}?title=Hello&key=${key.id}&t=${unixSeconds}&sig=${sig}`
  return {
    id: key.id,
    secret,
    note: 'Keep the secret: it is shown this once and is stored nowhere. Sign on your server or in your build, never in a page.',
    signed_example: { endpoint, payload_to_sign: payload, unix_seconds: unixSeconds, url },
    examples: examples(key.id, secret, baseUrl, url),
    upgrade: `${baseUrl}/api/upgrade?key=${key.id}`,
  }
}

/** Shell commands that work as they stand where curl and openssl are installed. */
function examples(id: string, secret: string, baseUrl: string, signedUrl: string): string[] {
  const hmac = `openssl dgst -sha256 -hmac '${secret}' -r | cut -c1-64`
  return [
    `curl -fsS -o card.svg '${signedUrl}'`,
    `t=$(date +%s); curl -fsS -o card.svg "${baseUrl}${endpoint}?title=Hello&key=${id}&t=$t&sig=$(printf '%s.GET ${endpoint}' "$t" | ${hmac})"`,
    `q="exp=$(($(date +%s) + 31536000))&key=${id}&title=Hello"; curl -fsS -o card.svg "${baseUrl}${endpoint}?$q&sig=$(printf 'GET ${endpoint}?%s' "$q" | ${hmac})"`,
    `curl -fsS '${baseUrl}/api/usage?key=${id}'`,
  ]
}
