import type { Theme } from './theme.ts'

/** Every theme, in the order in which documents list them. A new theme is a file in `themes/` and its line here. */
const loaders = {
  aurora: async () => (await import('./themes/aurora.ts')).aurora,
  paper: async () => (await import('./themes/paper.ts')).paper,
  grid: async () => (await import('./themes/grid.ts')).grid,
  poster: async () => (await import('./themes/poster.ts')).poster,
  terminal: async () => (await import('./themes/terminal.ts')).terminal,
  plain: async () => (await import('./themes/plain.ts')).plain,
} satisfies Readonly<Record<string, () => Promise<Theme>>>

export type ThemeName = keyof typeof loaders

export const themeNames = Object.keys(loaders) as readonly ThemeName[]

/** The default theme. */
export const usualTheme: ThemeName = 'aurora'

const loaded = new Map<ThemeName, Theme>()

/** The theme if it is loaded, which it is with its first card. */
export function loadedTheme(name: ThemeName): Theme | undefined {
  return loaded.get(name)
}

export async function loadTheme(name: ThemeName): Promise<Theme> {
  const theme = await loaders[name]()
  loaded.set(name, theme)
  return theme
}
