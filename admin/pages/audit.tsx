/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { wholeNumber } from '../data/whole-number.ts'
import type { AdminDeps } from '../deps.ts'
import { auditTable } from '../parts/audit-table.tsx'
import { adminPage } from '../parts/layout.tsx'
import { pager } from '../parts/list.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const rowsPerPage = 50

/** `/admin/audit`: every change, newest first. */
export async function auditPage(deps: AdminDeps, { query }: AdminRequest): Promise<Markup> {
  const before = wholeNumber(query.get('before')) || Number.MAX_SAFE_INTEGER
  const entries = await deps.store.audit.page(before, rowsPerPage)
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
