import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type KeyUsageDeps, readKeyUsage } from '../access/key-usage.ts'
import { Problem } from '../errors.ts'
import { json } from '../http/json.ts'
import { readQuery } from '../http/query.ts'
import { contextOf } from '../http/request-context.ts'
import { text } from '../lib/fields.ts'
import { operation } from '../site/openapi/operation.ts'

/** `GET /api/usage?key=<id>`: what a key has used today and in the last seven days. */
export function apiUsage(deps: KeyUsageDeps) {
  return new Elysia({ name: 'api-usage' }).get(
    '/api/usage',
    async ({ request }) => {
      const usage = await readKeyUsage(deps, readQuery(keyIdQuery, contextOf(request).rawQuery).key)
      if (usage === undefined) throw new Problem('unknown_key', 'No key has this id.')
      const { resetsAtMs, lastDays, ...counts } = usage
      const body = { ...counts, resets_at: new Date(resetsAtMs).toISOString(), last_7_days: lastDays }
      return json(body)
    },
    operation('keys', 'keyUsage', 'What a key has used today and in the last seven days.', {
      query: keyIdQuery,
      schema: 'Usage',
      problems: ['invalid_query', 'unknown_key'],
    }),
  )
}

/** The query of routes that are about one key. */
export const keyIdQuery = Type.Object({
  key: text(1, 64, { description: 'The id of the key', example: 'mk_2345678abcdefghj' }),
})
