/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { bar } from './meter.tsx'

/** A card with a heading. `beside` goes in the heading's line. */
export function panel(title: string, children: Child, beside?: Child): Markup {
  return (
    <section class="card panel">
      <header>
        <h2>{title}</h2>
        {beside}
      </header>
      {children}
    </section>
  )
}

export type Stat = readonly [label: string, value: string, note?: Child]

/** The key figures at the top of a page. */
export function statRow(stats: readonly Stat[]): Markup {
  return (
    <dl class="card kpis">
      {stats.map(([label, value, note]) => (
        <div>
          <dt>{label}</dt>
          <dd>
            {value} {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export type DescriptionRow = readonly [name: string, value: Child]

/** A panel with a list of names and values. */
export function descriptionCard(title: string, rows: readonly DescriptionRow[], foot?: Child): Markup {
  return panel(title, [
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>,
    foot,
  ])
}

/** A panel of names and counts with a bar for each, relative to the largest. */
export function shareCard(
  title: string,
  list: readonly { readonly name: string; readonly count: number }[],
  empty: Child,
): Markup {
  if (list.length === 0) return panel(title, <p class="muted small">{empty}</p>)
  const countMax = Math.max(1, ...list.map(({ count }) => count))
  return panel(
    title,
    <ul class="shares">
      {list.map(({ name, count }) => (
        <li>
          <span>{name}</span>
          <b class="num">{formatCount(count)}</b>
          {bar(Math.round((count / countMax) * 100))}
        </li>
      ))}
    </ul>,
  )
}
