/** The colours of one scheme, as the site has them. */
export interface Palette {
  readonly surface: string
  readonly border: string
  readonly grid: string
  readonly ink: string
  readonly paleInk: string
  /** Bars of peers, and what stands behind them. */
  readonly peer: string
  readonly ours: string
  readonly bound: string
  /** Lines of one chart, the most important first. */
  readonly lines: readonly [string, string, string, string]
}

export type Scheme = 'light' | 'dark'

export const palettes: Readonly<Record<Scheme, Palette>> = {
  light: {
    surface: '#ffffff',
    border: '#e6e5e2',
    grid: '#eeedea',
    ink: '#1b1b1f',
    paleInk: '#6f6f77',
    peer: '#d3d1cc',
    ours: '#2f4bc9',
    bound: '#b3261e',
    lines: ['#2f4bc9', '#14794f', '#96600c', '#6f6f77'],
  },
  dark: {
    surface: '#18191b',
    border: '#2a2b2f',
    grid: '#26272b',
    ink: '#ececee',
    paleInk: '#9a9ca3',
    peer: '#46484e',
    ours: '#8ea2ff',
    bound: '#ff8b80',
    lines: ['#8ea2ff', '#3fbf8d', '#e2b04a', '#9a9ca3'],
  },
}
