/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import paths from '../data/icons.json' with { type: 'json' }

export type IconName = keyof typeof paths

/** Decoration: screen readers skip it. */
export function icon(name: IconName): Markup {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

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
