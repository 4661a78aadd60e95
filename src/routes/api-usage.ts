import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readCredentials } from '../access/credentials.ts'
import type { DrawingShares } from '../access/drawing-shares.ts'
import { assetsOf } from '../access/key-limits.ts'
import { readKeyUsage } from '../access/key-quota.ts'
import { readOverQuota } from '../access/over-quota.ts'
import texts from '../access/refusals.json' with { type: 'json' }
import { createSignatureVerifier, type SignatureRules } from '../access/signature-verifier.ts'
import { invalidQuery, Problem } from '../errors.ts'
import { readQuery } from '../http/query.ts'
import { refusedResponse } from '../http/refused-response.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { json } from '../http/responses.ts'
import { queryOf } from '../http/router.ts'
import { type Clock, isoDay, utcDay } from '../lib/clock.ts'
import { integer, text } from '../lib/fields.ts'
import { queryPairs } from '../lib/query-pairs.ts'
import { noTerms } from '../payments/wire/payment-required.ts'
import { operation } from '../site/openapi/operation.ts'
import type { KeyRow } from '../store/keys.ts'
import type { Store } from '../store/open.ts'

interface ApiUsageDeps extends SignatureRules {
  readonly store: Store
  readonly clock: Clock
  readonly keyDailyQuota: number
  readonly drawingShares: Pick<DrawingShares, 'read'>
}

/** A call that the key signed is also told its end, and what networks fetched of its addresses. */
export function apiUsage(deps: ApiUsageDeps) {
  const { verify } = createSignatureVerifier(deps)

  async function answer({ id, signature }: ReturnType<typeof readCall>, context: RequestContext) {
    const key = await deps.store.keys.find(id)
    if (key === undefined) throw new Problem('unknown_key', 'No key has this id.')
    const fault = signature && verify(key, signature, context, deps.clock.now()).fault
    if (fault !== undefined) {
      const refused = { granted: false, error: 'refused', refusal: texts[fault] } as const
      return refusedResponse(refused, context, () => noTerms)
    }
    const usage = await readKeyUsage(deps.store.usage, key, deps.keyDailyQuota, deps.clock.now())
    const { resetsAtMs, lastDays, ...counts } = usage
    return json({
      ...counts,
      resets_at: new Date(resetsAtMs).toISOString(),
      last_7_days: lastDays,
      ...(signature && (await ownPart(deps, key, counts.limit))),
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

async function ownPart(
  { store: { shares, usage }, drawingShares, clock }: ApiUsageDeps,
  key: KeyRow,
  limit: number | null,
) {
  const { id, expiresAtMs } = key
  const today = utcDay(clock.now())
  const rows = await shares.newest(id, today - shareDays + 1, shareRowsMax)
  return {
    drawings: await drawingShares.read(id, limit),
    assets: assetsOf(key) ?? null,
    over_quota: await readOverQuota(usage, id, today),
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
