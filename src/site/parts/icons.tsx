/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'

/** Line drawings on a 16 by 16 grid, of the public pages and the operator's. */
const paths = {
  overview: 'M2.5 7 8 2.5 13.5 7v6.5h-4V10h-3v3.5h-4z',
  keys: 'M7.9 10.8a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0zM7.2 8.8l6-6M10.7 5.3l2 2',
  brands:
    'M8 2.2c-3.3 0-5.8 2.5-5.8 5.8s2.5 5.8 5.3 5.8c1.5 0 1.7-1.2 1.1-2.1-.6-1 .1-2 1.2-2h1.6c1.5 0 2.4-1 2.4-2.4 0-2.9-2.5-5.1-5.8-5.1zM5 8.6h.01M6.4 5.4h.01M9.8 5.4h.01',
  usage: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  shares:
    'M6 9.2 10 11.4M10 4.6 6 6.8M6.2 8a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0zM13.6 3.8a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0zM13.6 12.2a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0z',
  links:
    'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8',
  payments:
    'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM9.8 6.2C9.1 4.6 6.2 5 6.2 6.6c0 1.9 3.7.9 3.7 2.9 0 1.7-3 1.7-3.8.3M8 4.2v7.6',
  traffic: 'M1.5 8h3l2-4.5 3 9 2-4.5h3',
  audit: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  settings:
    'M10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4',
  download: 'M8 2.5v8M4.8 7.5 8 10.7l3.2-3.2M3 13.5h10',
  plus: 'M8 3v10M3 8h10',
  search: 'M11.2 7a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM10.2 10.2l3.3 3.3',
  copy: 'M7 5.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5ZM10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  external: 'M6 3.5H3.5v9h9V10M9 3h4v4M13 3 7.5 8.5',
  shuffle:
    'M2 4.5h2.2c1 0 1.8.5 2.4 1.4l2.8 4.2c.6.9 1.4 1.4 2.4 1.4H14M2 11.5h2.2c1 0 1.8-.5 2.4-1.4M14 4.5h-2.2c-1 0-1.8.5-2.4 1.4M12 2.5l2 2-2 2M12 9.5l2 2-2 2',
  leave: 'M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3',
} as const

export type IconName = keyof typeof paths

/** Decoration: screen readers skip it. */
export function icon(name: IconName): Markup {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

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
