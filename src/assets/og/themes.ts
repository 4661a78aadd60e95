import type { Theme } from './theme.ts'
import { aurora } from './themes/aurora.ts'
import { grid } from './themes/grid.ts'
import { paper } from './themes/paper.ts'
import { plain } from './themes/plain.ts'
import { poster } from './themes/poster.ts'
import { terminal } from './themes/terminal.ts'

/** Every theme, in the order in which documents list them. A new theme is a file in `themes/` and its name here. */
export const themes = { aurora, paper, grid, poster, terminal, plain } satisfies Readonly<
  Record<string, Theme>
>

export type ThemeName = keyof typeof themes

export const themeNames = Object.keys(themes) as readonly ThemeName[]

/** The default theme. */
export const usualTheme: ThemeName = 'aurora'
