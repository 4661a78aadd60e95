import { opaqueColor } from '../../lib/css-color.ts'

/** The badge palette. It wins over CSS names; white or near-black text is readable on each colour. */
export const palette = {
  brightgreen: '#298605',
  green: '#4d8209',
  yellowgreen: '#767902',
  yellow: '#e0b41a',
  orange: '#c35304',
  red: '#cf3b2f',
  blue: '#0a76bb',
  grey: '#555555',
  lightgrey: '#737373',
  purple: '#8a3fe0',
  pink: '#c6309a',
  cyan: '#0b7f8c',
} as const

type PaletteName = keyof typeof palette

/** The status words of each colour. */
const statusWords: Readonly<Partial<Record<PaletteName, string>>> = {
  brightgreen: 'success passing passed ok up online healthy operational stable',
  blue: 'info informational',
  yellow: 'warning warn pending running',
  orange: 'degraded important deprecated maintenance',
  red: 'error failing failed critical down offline',
  lightgrey: 'neutral inactive unknown skipped cancelled',
}

/** `#rrggbb` by status word. */
export const statusColors: ReadonlyMap<string, string> = new Map(
  Object.entries(statusWords).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, palette[name as PaletteName]] as const),
  ),
)

const named: ReadonlyMap<string, string> = new Map<string, string>([
  ...statusColors,
  ...Object.entries(palette),
  ['gray', palette.grey],
  ['lightgray', palette.lightgrey],
])

/** `#rrggbb` for a name of the palette, a status word or any opaque colour that CSS writes; undefined for anything else. */
export function colorOf(text: string): string | undefined {
  return named.get(text.trim().toLowerCase()) ?? opaqueColor(text)
}
