/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { integer } from '../../src/lib/fields.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AdminDeps } from '../deps.ts'
import { auditTable } from '../parts/audit-table.tsx'
import { adminPage } from '../parts/layout.tsx'
import { pager } from '../parts/list.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const rowsPerPage = 50

export const auditQuery = Type.Object({
  before: integer(1, Number.MAX_SAFE_INTEGER, {
    default: Number.MAX_SAFE_INTEGER,
    description: 'Only entries with a smaller number',
  }),
})

/** `/admin/audit`: every change, newest first. */
export async function auditPage(
  deps: AdminDeps,
  { query }: AdminRequest<Static<typeof auditQuery>>,
): Promise<Markup> {
  const entries = await deps.store.audit.page(query.before, rowsPerPage)
  const last = entries.length === rowsPerPage ? entries.at(-1) : undefined
  return adminPage(
    deps,
    {
      title: 'Audit log',
      section: 'audit',
      lead: 'Every change that was made here. The database refuses to change or remove an entry.',
    },
    <section class="card panel">
      {auditTable(entries)}
      {pager({ Older: last && `/admin/audit?before=${last.id}` })}
    </section>,
  )
}
