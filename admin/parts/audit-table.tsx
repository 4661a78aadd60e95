/** @jsxImportSource #jsx */

import { formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry } from '../../src/store/audit.ts'

export function auditTable(entries: readonly AuditEntry[]): Markup {
  if (entries.length === 0) return <p class="muted small">Nothing yet.</p>
  return (
    <div class="scroll" tabindex="0" role="region" aria-label="Audit log">
      <table class="log stack">
        <thead>
          <tr>
            {['Time, UTC', 'Action', 'On', 'Detail', 'Session', 'Address'].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ atMs, action, subject, detail, actor, address }) => (
            <tr>
              <td class="c-side muted">{formatTime(atMs)}</td>
              <td class="c-main mono">{action}</td>
              <td class="mono" data-l="On">
                {subject.startsWith('mk_') ? <a href={`/admin/keys/${subject}`}>{subject}</a> : subject}
              </td>
              <td data-l="Detail">{detail}</td>
              <td class="mono" data-l="Session">
                {actor}
              </td>
              <td class="mono" data-l="Address">
                {address}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
