import { readTheme, type ThemeMistake } from '../../assets/og/engine/read-theme.ts'
import type { ThemeSource } from '../../assets/og/themes.ts'
import { readNamed } from '../read-text.ts'

export function readThemeFile(path: string, warn: (line: string) => void): ThemeSource {
  const read = readTheme(readNamed(path))
  if ('mistakes' in read) throw new Error(mistakeLines(path, read.mistakes).join('\n'))
  for (const line of mistakeLines(path, read.warnings)) warn(line)
  return read.theme
}

export function mistakeLines(path: string, mistakes: readonly ThemeMistake[]): readonly string[] {
  return mistakes.map(
    ({ line, column, field, message }) => `${path}:${line}:${column}: ${`${field} ${message}`.trim()}`,
  )
}
