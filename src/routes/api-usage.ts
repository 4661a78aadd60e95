import { Elysia } from 'elysia'
import { type KeyUsageDeps, readKeyUsage } from '../access/key-usage.ts'
import { invalidQuery, Problem } from '../errors.ts'
import { keyIdQuery } from '../http/key-id-query.ts'
import { decodeQuery } from '../http/query.ts'
import { contextOf } from '../http/request-context.ts'

/** `GET /api/usage?key=<id>`: what a key has used today and in the last seven days. */
export function apiUsage(deps: KeyUsageDeps) {
  return new Elysia({ name: 'api-usage' }).get('/api/usage', ({ request }) => {
    const decoded = decodeQuery(keyIdQuery, contextOf(request).rawQuery)
    if ('errors' in decoded) throw invalidQuery(decoded.errors)
    const usage = readKeyUsage(deps, decoded.value.key)
    if (usage === undefined) throw new Problem('unknown_key', 'No key has this id.')
    const { key, plan, day, used, limit, remaining, resetsAtMs, lastDays } = usage
    const body = {
      key,
      plan,
      day,
      used,
      limit,
      remaining,
      resets_at: new Date(resetsAtMs).toISOString(),
      last_7_days: lastDays,
    }
    return Response.json(body, { headers: { 'cache-control': 'no-store' } })
  })
}
