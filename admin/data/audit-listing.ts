import { type Static, Type } from '@sinclair/typebox'
import { dayMs } from '../../src/lib/clock.ts'
import { integer, text } from '../../src/lib/fields.ts'
import type { AuditEntry, AuditFilter } from '../../src/store/operator.ts'
import type { AdminDeps } from '../deps.ts'
import { searchLengthMin } from './key-listing.ts'

const filterFields = {
  action: Type.Optional(text(0, 60, { description: 'Only this action' })),
  q: Type.Optional(text(0, 200, { description: 'The subject: an id, or a part of the name of a key' })),
  from: Type.Optional(text(0, 10, { description: 'The first UTC day, such as 2026-11-26' })),
  to: Type.Optional(text(0, 10, { description: 'The last UTC day' })),
}

export const auditExportQuery = Type.Object(filterFields)

export const auditQuery = Type.Object({
  ...filterFields,
  before: integer(1, Number.MAX_SAFE_INTEGER, {
    default: Number.MAX_SAFE_INTEGER,
    description: 'Only entries with a smaller number',
  }),
})

export type AuditFilters = Static<typeof auditExportQuery>

/** Keys by whose name one search finds entries. */
const keysMax = 20

/** Query parameters of a page with these filters. */
export function auditParameters({ action, q, from, to }: AuditFilters): URLSearchParams {
  const given = Object.entries({ action, q, from, to }).filter(([, value]) => value)
  return new URLSearchParams(given as [string, string][])
}

/** Returns a function that reads at most `limit` entries before one, newest first. */
export async function auditReader({ store }: AdminDeps, filters: AuditFilters) {
  const { action, from = '', to = '', q = '' } = filters
  const firstMs = Date.parse(from)
  const lastMs = Date.parse(to)
  const filter: AuditFilter = {
    action: action || undefined,
    fromMs: Number.isNaN(firstMs) ? undefined : firstMs,
    toMs: Number.isNaN(lastMs) ? undefined : lastMs + dayMs - 1,
  }
  const search = q.trim()
  const found = search.length < searchLengthMin ? [] : await store.keyList.search(search, keysMax)
  const subjects = search === '' ? [undefined] : [...new Set([search, ...found.map(({ id }) => id)])]

  return async (beforeId: number, limit: number): Promise<readonly AuditEntry[]> => {
    const pages = await Promise.all(
      subjects.map((subject) => store.audit.page(beforeId, limit, { ...filter, subject })),
    )
    return pages
      .flat()
      .toSorted((one, other) => other.id - one.id)
      .slice(0, limit)
  }
}
