/** @jsxImportSource #jsx */

import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry } from '../../src/store/audit.ts'
import { scrollTable } from './scroll-table.tsx'

export function auditTable(entries: readonly AuditEntry[]): Markup {
  if (entries.length === 0) return <p class="muted small">Nothing yet.</p>
  return scrollTable({
    label: 'Audit log',
    class: 'log stack',
    columns: ['Time, UTC', 'Action', 'On', 'Detail', 'Session', 'Address'],
    rows: entries.map(auditRow),
  })
}

function auditRow({ atMs, action, subject, detail, actor, address }: AuditEntry): Markup {
  return (
    <tr>
      <td class="c-side muted">{formatTime(atMs)}</td>
      <td class="c-main mono">{action}</td>
      <td class="mono" data-l="On">
        {subjectLink(subject)}
      </td>
      <td data-l="Detail">{detail}</td>
      <td class="mono" data-l="Session">
        {actor}
      </td>
      <td class="mono" data-l="Address">
        {address}
      </td>
    </tr>
  )
}

/** Keys link to their page. */
function subjectLink(subject: string): Child {
  return subject.startsWith('mk_') ? <a href={`/admin/keys/${subject}`}>{subject}</a> : subject
}
