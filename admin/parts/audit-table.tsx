/** @jsxImportSource #jsx */
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry } from '../../src/store/audit.ts'
import { type Column, scrollTable, tableRow } from './table.tsx'

const subjectColumn: Column<AuditEntry> = { head: 'On', class: 'mono', cell: subjectLink }
const columns: readonly Column<AuditEntry>[] = [
  { head: 'Time, UTC', class: 'c-side muted', cell: ({ atMs }) => formatTime(atMs) },
  { head: 'Action', class: 'c-main mono', cell: ({ action }) => action },
  subjectColumn,
  { head: 'Detail', cell: ({ detail }) => detail },
  { head: 'Session', class: 'c-extra mono', cell: ({ actor }) => actor },
  { head: 'Address', class: 'c-address mono', cell: ({ address }) => address },
]

export function auditTable(entries: readonly AuditEntry[]): Markup {
  return tableOf(columns, entries)
}

/** The audit table on the page of one key or brand. It leaves out the subject, which is the same in every row. */
export function auditTableOfOne(entries: readonly AuditEntry[]): Markup {
  return tableOf(
    columns.filter((column) => column !== subjectColumn),
    entries,
  )
}

function tableOf(shown: readonly Column<AuditEntry>[], entries: readonly AuditEntry[]): Markup {
  if (entries.length === 0) return <p class="muted small">Nothing yet.</p>
  const rows = entries.map((entry) => tableRow(shown, entry))
  return scrollTable({ label: 'Audit log', class: 'log stack', columns: shown, rows })
}

/** Keys and brands link to their page. */
function subjectLink({ action, subject }: AuditEntry): Child {
  if (subject.startsWith('mk_')) return <a href={`/admin/keys/${subject}`}>{subject}</a>
  if (action.startsWith('brand.')) return <a href={`/admin/brands/${subject}`}>{subject}</a>
  return subject
}
