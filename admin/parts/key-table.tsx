/** @jsxImportSource #jsx */

import { keyFault } from '../../src/access/key-validity.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { formatAgo, formatDay, formatTimeLeft } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import type { KeyRow } from '../../src/store/keys.ts'
import { type KeyDays, readKeyDays } from '../data/key-days.ts'
import { endsSoon } from '../data/key-ending.ts'
import type { AdminDeps } from '../deps.ts'
import { revokeForm } from './key-forms.tsx'
import { meter, usedOf } from './meter.tsx'
import { pill } from './pill.tsx'
import { sparkline } from './sparkline.tsx'
import { type Column, scrollTable, tableRow } from './table.tsx'

interface KeyUse {
  readonly key: KeyRow
  readonly days: KeyDays
}

/** A table of keys. Their checkboxes belong to the form with the id `bulkForm` elsewhere on the page. */
export async function keyTable(deps: AdminDeps, keys: readonly KeyRow[], bulkForm: string): Promise<Markup> {
  const columns: readonly Column<KeyUse>[] = [
    { head: 'Select', class: 'c-tick', hidesHead: true, cell: ({ key }) => checkbox(key, bulkForm) },
    { head: 'Key', class: 'c-name', cell: ({ key }) => nameLink(key) },
    { head: 'Status', class: 'c-status', cell: ({ key, days }) => keyStatus(key, days) },
    {
      head: 'Used today',
      class: 'c-used num',
      cell: ({ days: { usedToday, limit } }) => [
        usedOf(usedToday, limit),
        limit !== null && meter(usedToday, limit),
      ],
    },
    { head: '30 days', class: 'c-spark', cell: ({ days }) => sparkline(days.calls) },
    { head: 'Last used', class: 'c-last', cell: ({ days }) => lastUsed(days) },
    { head: 'Created', class: 'c-made', cell: ({ key }) => formatDay(key.createdAtMs) },
    { head: 'Actions', class: 'c-act', hidesHead: true, cell: ({ key }) => menu(key) },
  ]
  const uses = await Promise.all(keys.map(async (key) => ({ key, days: await readKeyDays(deps, key) })))
  const rows = uses.map((use) =>
    tableRow(columns, use, { class: keyFault(use.key, use.days.nowMs) === undefined ? undefined : 'off' }),
  )
  return scrollTable({ class: 'keys', columns, rows })
}

function nameOf({ name }: KeyRow): string {
  return name || 'Untitled'
}

function checkbox(key: KeyRow, form: string): Markup {
  const label = `Select ${nameOf(key)}, ${key.id}`
  return <input type="checkbox" name="id" value={key.id} form={form} aria-label={label} />
}

function nameLink(key: KeyRow): Child {
  return [
    <a class="name" href={`/admin/keys/${key.id}`} dir="auto">
      {nameOf(key)}
    </a>,
    <span class="id">{key.id}</span>,
  ]
}

/** The state of a key in a word, or its end where that is close. */
export function keyStatus(key: KeyRow, { nowMs, usedToday, limit, isIdle }: KeyDays): Markup {
  const fault = keyFault(key, nowMs)
  if (fault === 'revoked_key') return pill('Revoked', 'plain')
  if (fault === 'ended_key') return pill('Ended', 'plain')
  if (limit !== null && usedToday >= limit) return pill('Exhausted', 'bad')
  if (endsSoon(key, nowMs)) return pill(`Ends in ${formatTimeLeft(key.expiresAtMs - nowMs)}`, 'warn')
  if (limit === null) return pill('Unlimited', 'ok')
  return isIdle ? pill('Idle', 'plain') : pill('Active', 'ok')
}

/** The actions of a key, as a popover: it needs no script. */
function menu(key: KeyRow): Child {
  const { id } = key
  return [
    <button
      class="btn ghost icon"
      type="button"
      popovertarget={`menu-${id}`}
      aria-label={`Actions for ${nameOf(key)}, ${id}`}
    >
      {icon('more')}
    </button>,
    <div class="menu" popover id={`menu-${id}`}>
      <a href={`/admin/keys/${id}`}>Open</a>
      <a href={`/admin/keys/${id}#quota`}>Change quota</a>
      <a href={`/admin/keys/${id}#expires`}>Set end</a>
      <a href={`/admin/keys/${id}#rotate`}>Rotate secret</a>
      {revokeForm(key, nameOf(key))}
    </div>,
  ]
}

function lastUsed({ lastDay, isIdle, today }: KeyDays): Child {
  if (lastDay === undefined) return <span class="muted">{isIdle ? 'not in 30 days' : 'not yet'}</span>
  if (lastDay === today) return 'today'
  return lastDay === today - 1 ? 'yesterday' : formatAgo(lastDay * dayMs, today * dayMs)
}
