/** @jsxImportSource #jsx */
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry } from '../../src/store/audit.ts'
import { type Column, scrollTable, tableRow } from './table.tsx'

const columns: readonly Column<AuditEntry>[] = [
  { head: 'Time, UTC', class: 'c-side muted', cell: ({ atMs }) => formatTime(atMs) },
  { head: 'Action', class: 'c-main mono', cell: ({ action }) => action },
  { head: 'On', class: 'mono', cell: ({ subject }) => subjectLink(subject) },
  { head: 'Detail', cell: ({ detail }) => detail },
  { head: 'Session', class: 'c-extra mono', cell: ({ actor }) => actor },
  { head: 'Address', class: 'c-address mono', cell: ({ address }) => address },
]

export function auditTable(entries: readonly AuditEntry[]): Markup {
  if (entries.length === 0) return <p class="muted small">Nothing yet.</p>
  const rows = entries.map((entry) => tableRow(columns, entry))
  return scrollTable({ label: 'Audit log', class: 'log stack', columns, rows })
}

/** Keys link to their page. */
function subjectLink(subject: string): Child {
  return subject.startsWith('mk_') ? <a href={`/admin/keys/${subject}`}>{subject}</a> : subject
}
