import type { Direction, TextStyle } from '../text/types.ts'
import type { Accent } from './palette.ts'
import type { Background } from './scene.ts'
import type { Sheet, TextRole } from './sheet.ts'

export const themeNames = ['aurora', 'paper', 'grid', 'poster', 'terminal'] as const
export type ThemeName = (typeof themeNames)[number]

/** What stands on a card. Empty texts are absent. */
export interface CardWords {
  readonly title: string
  readonly subtitle?: string
  readonly author?: string
  /** One or two letters that stand for the author. */
  readonly initials?: string
  readonly domain?: string
}

export interface Theme {
  readonly name: ThemeName
  /** True when the picture has few enough colours for a palette PNG. */
  readonly flat: boolean
  readonly styles: Readonly<Record<TextRole, TextStyle>>
  /** Everything that the words do not change, for one accent and one direction; the caller caches it. */
  dress(accent: Accent, direction: Direction): Dress
}

export interface Dress {
  readonly background: Omit<Background, 'key'>
  /** Lays the words out on the sheet. */
  draw(words: CardWords, sheet: Sheet): void
}
