/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { bar } from './meter.tsx'

/** A card of names and counts with a bar for each, relative to the largest. */
export function shareCard(
  title: string,
  list: readonly { readonly name: string; readonly count: number }[],
  empty: Child,
): Markup {
  const countMax = Math.max(1, ...list.map(({ count }) => count))
  return (
    <section class="card panel">
      <header>
        <h2>{title}</h2>
      </header>
      {list.length === 0 ? (
        <p class="muted small">{empty}</p>
      ) : (
        <ul class="shares">
          {list.map(({ name, count }) => (
            <li>
              <span>{name}</span>
              <b class="num">{formatCount(count)}</b>
              {bar(Math.round((count / countMax) * 100))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
