/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'

/** The logo, in the colours of the page's theme. */
export function brandMark(): Markup {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect x="1.5" y="4" width="21" height="16" rx="4" fill="var(--accent)" />
      <path
        d="M6 9.5h8M6 13h12M6 16h5"
        stroke="var(--accent-ink)"
        stroke-width="1.7"
        stroke-linecap="round"
      />
    </svg>
  )
}
