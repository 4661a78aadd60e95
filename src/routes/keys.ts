import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readCredentials } from '../access/credentials.ts'
import { assetsOf, createHostReader, hostsLengthMax, hostsMax } from '../access/key-limits.ts'
import { readKeyUsage } from '../access/key-quota.ts'
import { type IssuedKey, keyDaysMax } from '../access/keys.ts'
import { readOverQuota } from '../access/over-quota.ts'
import texts from '../access/refusals.json' with { type: 'json' }
import { createSignatureVerifier } from '../access/signature-verifier.ts'
import { invalidQuery, type ParameterError, Problem, rateLimited } from '../errors.ts'
import { decodeQuery, readQuery } from '../http/query.ts'
import { refusedResponse } from '../http/refused-response.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { json } from '../http/responses.ts'
import { queryOf } from '../http/router.ts'
import { dayMs, isoDay, secondsUntil, utcDay } from '../lib/clock.ts'
import { integer, text } from '../lib/fields.ts'
import { hmacHex } from '../lib/password.ts'
import { queryPairs } from '../lib/query-pairs.ts'
import type { Parts } from '../parts.ts'
import { noTerms } from '../payments/payments.ts'
import { operation } from '../site/openapi/operation.ts'
import type { KeyRow } from '../store/keys.ts'

const keyQuery = Type.Object({
  expires: Type.Optional(
    integer(1, keyDaysMax, {
      description: 'The days after which the key ends by itself',
      example: '90',
      whenMissing: 'it does not end',
    }),
  ),
  hosts: Type.Optional(
    text(1, hostsLengthMax, {
      description: `Up to ${hostsMax} hosts, with commas between them, whose pages may show cards without a signature, by the public id site; their subdomains are included`,
      example: 'example.com',
      whenMissing: 'every card needs a signature',
    }),
  ),
})

const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const
const jsonType = { 'content-type': 'application/json' } as const
const endpoint = '/api/og'

/** `GET /api/key`: issues a key pair, with example commands that already carry it. */
export function apiKey({ issuer, clock, config }: Parts) {
  const readHosts = createHostReader(config.FETCH_ALLOW_CIDRS)

  function readKeyQuery({ rawQuery }: RequestContext) {
    const decoded = decodeQuery(keyQuery, rawQuery)
    const right: Readonly<Record<string, unknown>> = 'value' in decoded ? decoded.value : decoded.right
    const { hosts: list } = right
    const found = typeof list === 'string' ? readHosts(list) : { hosts: [] }
    const errors = 'errors' in decoded ? [...decoded.errors] : []
    if ('mistake' in found) errors.push({ parameter: 'hosts', message: found.mistake })
    errors.push(...queryPairs(rawQuery).flatMap(({ name }) => ignored(name, right) ?? []))
    if ('errors' in decoded || 'mistake' in found || errors.length > 0) throw invalidQuery(errors)
    return { days: decoded.value.expires, hosts: found.hosts }
  }

  async function answer({ days, hosts }: ReturnType<typeof readKeyQuery>, context: RequestContext) {
    const { request } = context
    if (!config.PUBLIC_KEYS)
      throw new Problem('issuing_closed', 'The operator hands out the keys of this service.')
    context.isUnmadeForHead = true
    if (context.method === 'HEAD') return new Response(null, { headers: { ...privateHeaders, ...jsonType } })
    if (isPrefetch(request)) return new Response(null, { status: 204, headers: privateHeaders })
    const expiresAtMs = days === undefined ? null : clock.now() + days * dayMs
    const issue = await issuer.issue(context.clientAddress, { expiresAtMs, hosts })
    if (issue.issued) return json(document(issue.pair, context.baseUrl, clock.now()), privateHeaders)
    const until = `${new Date(issue.resetsAtMs).toISOString().slice(0, 16)}Z`
    const detail = `A client address is issued at most ${config.KEYS_PER_IP_PER_DAY} keys a day, and yours, or its network, has had them: wait until ${until}. The operator can create a key for you, or raise KEYS_PER_IP_PER_DAY.`
    throw rateLimited(detail, secondsUntil(issue.resetsAtMs, clock.now(), dayMs))
  }
  const summary = 'Issues a key pair. The secret is shown this once.'
  const problems = ['invalid_query', 'rate_limited', 'issuing_closed'] as const
  const query = queryOf(keyQuery, readKeyQuery)
  return new Elysia({ name: 'api-key' }).get(
    '/api/key',
    ({ query, request }) => answer(query, contextOf(request)),
    { query, ...operation('keys', 'issueKey', summary, { schema: 'KeyPair', problems }) },
  )
}

/** The mistake in a name that would be ignored although it asks for another key. */
function ignored(name: string, read: Readonly<Record<string, unknown>>): ParameterError | undefined {
  const meant = name.toLowerCase().replace(/^(amp;)+/, '')
  if (!Object.hasOwn(keyQuery.properties, meant) || name === meant || read[meant] !== undefined)
    return undefined
  return { parameter: name, message: `must be written as ${meant}` }
}

/** A browser that loads the URL ahead of its user, who may never open it, must not use up a key. */
function isPrefetch({ headers }: Request): boolean {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name) ?? '')
  return /prefetch|prerender|preview/i.test(purposes.join(' '))
}

function document({ key, secret }: IssuedKey, baseUrl: string, nowMs: number) {
  const { id, siteId, expiresAtMs } = key
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
    ...(siteId !== null && { site: siteId }),
    ...(expiresAtMs !== null && { expires_at: new Date(expiresAtMs).toISOString() }),
  }
}

/** People copy commands out of JSON as it is, so they have no double quote and no backslash, which JSON would escape. */
function examples(id: string, secret: string, baseUrl: string): string[] {
  const hmac = `openssl dgst -sha256 -hmac '${secret}' -r`
  return [
    `t=$(date +%s); curl -fsS -o card.svg '${baseUrl}${endpoint}?title=Hello&key=${id}&t='$t'&sig='$(printf '%s.GET ${endpoint}' $t | ${hmac} | cut -c1-64)`,
    `payload=$(printf 'title=Hello' | openssl base64 -A | tr '+/' '-_' | tr -d '='); sig=$(printf 'GET /i/og/${id}/%s.svg' $payload | ${hmac} | cut -c1-32); curl -fsS -o card.svg '${baseUrl}/i/og/${id}/'$payload/$sig.svg`,
    `curl -fsS '${baseUrl}/api/usage?key=${id}'`,
  ]
}

/** A call that the key signed is also told its end, and what networks fetched of its addresses. */
export function apiUsage(parts: Parts) {
  const { store, clock, keyDailyQuota } = parts
  const { verify } = createSignatureVerifier(parts)

  async function answer({ id, signature }: ReturnType<typeof readCall>, context: RequestContext) {
    const key = await store.keys.find(id)
    if (key === undefined) throw new Problem('unknown_key', 'No key has this id.')
    const fault = signature && verify(key, signature, context, clock.now()).fault
    if (fault !== undefined) {
      const refused = { granted: false, error: 'refused', refusal: texts[fault] } as const
      return refusedResponse(refused, context, () => noTerms)
    }
    const usage = await readKeyUsage(store.usage, key, keyDailyQuota, clock.now())
    const { resetsAtMs, lastDays, ...counts } = usage
    return json({
      ...counts,
      resets_at: new Date(resetsAtMs).toISOString(),
      last_7_days: lastDays,
      ...(signature && (await ownPart(parts, key, counts.limit))),
    })
  }

  const summary = 'What a key has used today and in the last seven days.'
  const problems = ['invalid_query', 'unknown_key'] as const
  return new Elysia({ name: 'api-usage' }).get(
    '/api/usage',
    ({ query, request }) => answer(query, contextOf(request)),
    {
      query: queryOf(usageQuery, readCall),
      ...operation('keys', 'keyUsage', summary, { schema: 'Usage', problems, isSigned: true }),
    },
  )
}

export const keyIdQuery = Type.Object({
  key: text(1, 64, { description: 'The id of the key', example: 'mk_2345678abcdefghj' }),
})

const usageQuery = Type.Object({
  ...keyIdQuery.properties,
  t: Type.Optional(
    integer(0, 999_999_999_999, {
      description:
        'Unix seconds, now: a call that the key signed is told when the key ends, its drawings, and where its pictures were shared',
      whenMissing: 'the call is not signed',
    }),
  ),
  sig: Type.Optional(
    text(64, 64, { description: 'HMAC-SHA256 over "<t>.GET /api/usage" with the secret, in lower-case hex' }),
  ),
})

function readCall({ rawQuery }: RequestContext) {
  const isSigned = queryPairs(rawQuery).some(({ name }) => name === 't' || name === 'exp' || name === 'sig')
  if (!isSigned) return { id: readQuery(keyIdQuery, rawQuery).key }
  const credentials = readCredentials(rawQuery)
  if ('errors' in credentials) throw invalidQuery(credentials.errors)
  const { signature } = credentials
  if (signature?.kind !== 't')
    throw invalidQuery([{ parameter: 'exp', message: 'is not accepted here: sign the call with t' }])
  return { id: signature.keyId, signature }
}

const shareDays = 7
const shareRowsMax = 500

async function ownPart({ store, drawingShares, clock }: Parts, key: KeyRow, limit: number | null) {
  const { id, expiresAtMs } = key
  const today = utcDay(clock.now())
  const rows = await store.shares.newest(id, today - shareDays + 1, shareRowsMax)
  return {
    drawings: await drawingShares.read(id, limit),
    assets: assetsOf(key) ?? null,
    over_quota: await readOverQuota(store.usage, id, today),
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    shares: rows.map(({ day, network, count, title, url }) => ({
      day: isoDay(day),
      network,
      count,
      title: title || null,
      url: url || null,
    })),
  }
}
