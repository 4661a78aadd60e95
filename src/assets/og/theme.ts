import type { Background } from '../../raster/scene.ts'
import type { Accent } from './accent.ts'
import type { Canvas, ThemeStyles } from './canvas.ts'

/** What stands on a card. Empty texts are absent. */
export interface CardWords {
  readonly title: string
  readonly subtitle?: string
  readonly author?: string
  /** Of the author. */
  readonly initials?: string
  readonly domain?: string
}

export interface Theme {
  /** True when the picture has few enough colours for a palette PNG. */
  readonly flat: boolean
  readonly styles: ThemeStyles
  /** Everything that the words do not change, for one accent; the caller caches it. */
  prepare(accent: Accent): PreparedTheme
}

export interface PreparedTheme {
  /** SVG for left-to-right, which is mirrored for right-to-left. */
  readonly background: Pick<Background, 'body'> & Partial<Pick<Background, 'defs'>>
  /** Lays the words out on the canvas. */
  draw(words: CardWords, canvas: Canvas): void
}
