/** @jsxImportSource #jsx */
import { formatAgo } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { Session } from '../session/sessions.ts'
import { postForm, submitButton } from './buttons.tsx'
import { panel } from './cards.tsx'
import { type Column, scrollTable, tableRow } from './table.tsx'

/** The logged-in sessions, with a button to end each. */
export function sessionsCard(sessions: readonly Session[], current: Session, nowMs: number): Markup {
  const columns: readonly Column<Session>[] = [
    {
      head: 'Session',
      class: 'c-main mono',
      cell: ({ name, id }) => [name, id === current.id && <small>this one</small>],
    },
    { head: 'Address', class: 'mono', cell: ({ address }) => address },
    { head: 'Browser', title: ({ userAgent }) => userAgent, cell: ({ userAgent }) => browserName(userAgent) },
    { head: 'Last seen', cell: ({ lastSeenAtMs }) => formatAgo(lastSeenAtMs, nowMs) },
    { head: 'Actions', class: 'c-side right', hidesHead: true, cell: endForm },
  ]
  const rows = sessions.map((session) => tableRow(columns, session))
  return panel(
    'Sessions',
    scrollTable({ label: 'Sessions', class: 'log stack', columns, rows }),
    sessions.length > 1 &&
      postForm('/admin/sessions/end-others', submitButton('End all others'), { class: 'end' }),
  )
}

function endForm({ id }: Session): Child {
  return postForm('/admin/sessions/end', [
    <input type="hidden" name="session" value={id} />,
    submitButton('End'),
  ])
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
