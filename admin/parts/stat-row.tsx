/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

export interface Stat {
  readonly label: string
  readonly value: string
  readonly note?: Child
}

/** The key figures at the top of a page. */
export function statRow(stats: readonly Stat[]): Markup {
  return (
    <dl class="card kpis">
      {stats.map(({ label, value, note }) => (
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
