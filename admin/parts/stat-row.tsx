/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

export interface Stat {
  readonly label: string
  readonly value: string
  readonly note?: Child
}

/** The row of figures at the top of a page. */
export function statRow(list: readonly Stat[]): Markup {
  return (
    <dl class="card kpis">
      {list.map(({ label, value, note }) => (
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

export type Tone = 'ok' | 'warn' | 'bad' | 'plain'

export function pill(text: string, tone: Tone): Markup {
  return <span class={`pill ${tone === 'plain' ? '' : tone}`}>{text}</span>
}

/** A bar that fills with use; amber from 80 %, red when nothing is left. */
export function meter(used: number, limit: number): Markup {
  const percent = limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100))
  const tone = percent >= 100 ? ' bad' : percent >= 80 ? ' warn' : ''
  return (
    <svg class={`meter${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="t" width="100" height="6" />
      <rect class="f" width={percent} height="6" />
    </svg>
  )
}
