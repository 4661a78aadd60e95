import { Elysia } from 'elysia'
import { type KeyUsageDeps, readKeyUsage } from '../access/key-usage.ts'
import { Problem } from '../errors.ts'
import { keyIdQuery } from '../http/key-id-query.ts'
import { validQuery } from '../http/valid-query.ts'

/** `GET /api/usage?key=<id>`: what a key has used today and in the last seven days. */
export function apiUsage(deps: KeyUsageDeps) {
  return new Elysia({ name: 'api-usage' }).resolve(validQuery(keyIdQuery)).get('/api/usage', ({ input }) => {
    const usage = readKeyUsage(deps, input.key)
    if (usage === undefined) throw new Problem('unknown_key', 'No key has this id.')
    const { key, plan, day, used, limit, remaining, resetsAtMs, lastDays } = usage
    const resetsAt = new Date(resetsAtMs).toISOString()
    const body = { key, plan, day, used, limit, remaining, resets_at: resetsAt, last_7_days: lastDays }
    return Response.json(body, { headers: { 'cache-control': 'no-store' } })
  })
}
