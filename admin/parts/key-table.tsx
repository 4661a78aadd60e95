/** @jsxImportSource #jsx */
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatAgo, formatCount, formatDay } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import type { KeyRow } from '../../src/store/keys.ts'
import { type KeyDays, readKeyDays } from '../data/key-days.ts'
import type { AdminDeps } from '../deps.ts'
import { sparkline } from './chart.tsx'
import { keyStatus } from './key-status.tsx'
import { meter } from './meter.tsx'

/** A table of keys. Their checkboxes belong to the form with the id `bulkForm` elsewhere on the page. */
export function keyTable(deps: AdminDeps, rows: readonly KeyRow[], bulkForm: string): Markup {
  return (
    <div class="scroll">
      <table class="keys">
        <thead>
          <tr>
            <th scope="col" class="c-tick">
              <span class="vh">Select</span>
            </th>
            {['Key', 'Status', 'Used today', '30 days', 'Last used', 'Created'].map((name) => (
              <th scope="col">{name}</th>
            ))}
            <th scope="col" class="c-act">
              <span class="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>{rows.map((row) => keyRow(row, readKeyDays(deps, row), deps.clock.now(), bulkForm))}</tbody>
      </table>
    </div>
  )
}

function keyRow(key: KeyRow, days: KeyDays, nowMs: number, bulkForm: string): Markup {
  const { usedToday, limit } = days
  const name = key.name || 'Untitled'
  return (
    <tr class={key.revokedAtMs === null ? undefined : 'off'}>
      <td class="c-tick">
        <input
          type="checkbox"
          name="id"
          value={key.id}
          form={bulkForm}
          aria-label={`Select ${name}, ${key.id}`}
        />
      </td>
      <td class="c-name">
        <a class="name" href={`/admin/keys/${key.id}`} dir="auto">
          {name}
        </a>
        <span class="id">{key.id}</span>
      </td>
      <td class="c-status">{keyStatus(key, days)}</td>
      <td class="c-used num" data-l="Used today">
        {formatCount(usedToday)}{' '}
        <span class="muted">{limit === null ? 'no limit' : `of ${formatCount(limit)}`}</span>
        {limit !== null && meter(usedToday, limit)}
      </td>
      <td class="c-spark">{sparkline(days.calls)}</td>
      <td class="c-last" data-l="Last used">
        {lastUsed(days, utcDay(nowMs))}
      </td>
      <td class="c-made">{formatDay(key.createdAtMs)}</td>
      <td class="c-act">{menu(key, name)}</td>
    </tr>
  )
}

/** The actions of a key, as a popover: it needs no script. */
function menu({ id, revokedAtMs }: KeyRow, name: string): Markup {
  const revoke = revokedAtMs === null
  return (
    <>
      <button
        class="btn ghost icon"
        type="button"
        popovertarget={`menu-${id}`}
        aria-label={`Actions for ${name}, ${id}`}
      >
        {icon('more')}
      </button>
      <div class="menu" popover id={`menu-${id}`}>
        <a href={`/admin/keys/${id}`}>Open</a>
        <a href={`/admin/keys/${id}#quota`}>Change quota</a>
        <a href={`/admin/keys/${id}#rotate`}>Rotate secret</a>
        <form
          method="post"
          action={`/admin/keys/${id}/${revoke ? 'revoke' : 'restore'}`}
          data-confirm={
            revoke ? `Revoke ${name}? Every page that embeds its URLs shows broken images.` : undefined
          }
        >
          <button type="submit" class={revoke ? 'danger' : undefined}>
            {revoke ? 'Revoke' : 'Restore'}
          </button>
        </form>
      </div>
    </>
  )
}

function lastUsed({ lastDay, isIdle }: KeyDays, today: number): Child {
  if (lastDay === undefined) return <span class="muted">{isIdle ? 'not in 30 days' : 'not yet'}</span>
  if (lastDay === today) return 'today'
  return lastDay === today - 1 ? 'yesterday' : formatAgo(lastDay * dayMs, today * dayMs)
}
