/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

/** A card of names and values. */
export function descriptionCard(
  title: string,
  rows: readonly (readonly [string, Child])[],
  foot?: Child,
): Markup {
  return (
    <section class="card panel">
      <header>
        <h2>{title}</h2>
      </header>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {foot}
    </section>
  )
}

/** A card of names and counts, largest first, with a bar for each share. */
export function shareCard(
  title: string,
  list: readonly { readonly name: string; readonly count: number }[],
  empty: Child,
): Markup {
  const most = Math.max(1, ...list.map(({ count }) => count))
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
              <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect class="t" width="100" height="6" />
                <rect class="f" width={Math.round((count / most) * 100)} height="6" />
              </svg>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
