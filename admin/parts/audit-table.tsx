/** @jsxImportSource #jsx */
import { isKeyId } from '../../src/access/keys.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry } from '../../src/store/operator.ts'
import type { KeyNames } from '../data/key-names.ts'
import { type Column, scrollTable, tableRow } from './table.tsx'

const time: Column<AuditEntry> = {
  head: 'Time, UTC',
  class: 'c-side muted',
  cell: ({ atMs }) => formatTime(atMs),
}
const action: Column<AuditEntry> = { head: 'Action', class: 'c-main mono', cell: (entry) => entry.action }
const others: readonly Column<AuditEntry>[] = [
  { head: 'Detail', cell: ({ detail }) => detail },
  { head: 'Session', class: 'c-extra mono', cell: ({ actor }) => actor },
  { head: 'Address', class: 'c-address mono', cell: ({ address }) => address },
]

/** @param names those of the keys among the subjects, loaded before */
export function auditTable(entries: readonly AuditEntry[], names: Pick<KeyNames, 'nameOf'>): Markup {
  const subject: Column<AuditEntry> = { head: 'On', cell: (entry) => subjectLink(entry, names) }
  return tableOf([time, action, subject, ...others], entries)
}

/** The audit table on the page of one key or brand. It leaves out the subject, which is the same in every row. */
export function auditTableOfOne(entries: readonly AuditEntry[]): Markup {
  return tableOf([time, action, ...others], entries)
}

function tableOf(shown: readonly Column<AuditEntry>[], entries: readonly AuditEntry[]): Markup {
  if (entries.length === 0) return <p class="muted small">Nothing yet.</p>
  const rows = entries.map((entry) => tableRow(shown, entry))
  return scrollTable({ label: 'Audit log', class: 'log stack', columns: shown, rows })
}

/** Keys, brands and payments link to their page. A key has its name before its id. */
function subjectLink({ action, subject }: AuditEntry, names: Pick<KeyNames, 'nameOf'>): Child {
  if (isKeyId(subject)) {
    const name = names.nameOf(subject)
    return [
      <a href={`/admin/keys/${subject}`} dir="auto">
        {name}
      </a>,
      name !== subject && <small class="mono">{subject}</small>,
    ]
  }
  if (action.startsWith('brand.')) return <a href={`/admin/brands/${subject}`}>{subject}</a>
  if (action === 'payment.recheck') return <a href={`/admin/payments/${subject}`}>{subject}</a>
  return subject
}
