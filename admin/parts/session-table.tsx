/** @jsxImportSource #jsx */

import { formatAgo } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { Session } from '../session/sessions.ts'
import { scrollTable } from './scroll-table.tsx'

/** The logged-in sessions, with a button to end each. */
export function sessionsCard(sessions: readonly Session[], current: Session, nowMs: number): Markup {
  return (
    <section class="card panel">
      <header>
        <h2>Sessions</h2>
        {sessions.length > 1 && (
          <form class="end" method="post" action="/admin/sessions/end-others">
            <button class="btn" type="submit">
              End all others
            </button>
          </form>
        )}
      </header>
      {scrollTable({
        label: 'Sessions',
        class: 'log stack',
        columns: ['Session', 'Address', 'Browser', 'Last seen', <span class="vh">Actions</span>],
        rows: sessions.map((session) => sessionRow(session, current, nowMs)),
      })}
    </section>
  )
}

function sessionRow(session: Session, current: Session, nowMs: number): Markup {
  const { id, name, address, userAgent, lastSeenAtMs } = session
  return (
    <tr>
      <td class="c-main mono">
        {name}
        {id === current.id && <small>this one</small>}
      </td>
      <td class="mono" data-l="Address">
        {address}
      </td>
      <td data-l="Browser" title={userAgent}>
        {browserName(userAgent)}
      </td>
      <td data-l="Last seen">{formatAgo(lastSeenAtMs, nowMs)}</td>
      <td class="c-side right">
        <form method="post" action="/admin/sessions/end">
          <input type="hidden" name="session" value={id} />
          <button class="btn" type="submit">
            End
          </button>
        </form>
      </td>
    </tr>
  )
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** `Firefox on Linux`. The order of the lists matters: Chrome's header names Safari too, and Edge's names both. */
function browserName(userAgent: string): string {
  function find(list: readonly (readonly [RegExp, string])[]) {
    return list.find(([pattern]) => pattern.test(userAgent))?.[1]
  }
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return userAgent.slice(0, 40) || 'unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}
