/** @jsxImportSource #jsx */
import type { Markup } from '../lib/jsx/markup.ts'

const paths = {
  copy: 'M7 5.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5ZM10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2',
  arrow: 'M3 8h10M9 4l4 4-4 4',
} as const

/** A line drawing of 16 by 16 that says nothing to screen readers. */
export function icon(name: keyof typeof paths): Markup {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
