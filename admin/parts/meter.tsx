/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

/** A bar of how much of a quota is used: amber from 80 %, red at 100 %. */
export function meter(used: number, limit: number): Markup {
  const percent = limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100))
  const tone = percent >= 100 ? ' bad' : percent >= 80 ? ' warn' : ''
  return bar(percent, tone)
}

/** @param tone a class with a space before it, or empty. */
export function bar(percent: number, tone = ''): Markup {
  return (
    <svg class={`meter${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="t" width="100" height="6" />
      <rect class="f" width={percent} height="6" />
    </svg>
  )
}

/** `12 of 1,000`. */
export function usedOf(used: number, limit: number | null): Child {
  return [formatCount(used), ' ', <span class="muted">{limitText(limit)}</span>]
}

/** @param limit null: unlimited */
export function limitText(limit: number | null): string {
  return limit === null ? 'no limit' : `of ${formatCount(limit)}`
}
