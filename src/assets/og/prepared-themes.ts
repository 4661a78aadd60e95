import { LRUCache } from 'lru-cache'
import type { Direction } from '../../text/types.ts'
import type { Accent } from './accent.ts'
import type { PreparedTheme } from './theme.ts'
import { type ThemeName, themes } from './themes.ts'

/** A prepared theme; equal keys mean equal themes. */
interface KeyedTheme {
  readonly key: string
  readonly prepared: PreparedTheme
}

const bytesMax = 2 * 2 ** 20

/** Prepares themes, and caches them: cards of one site share theme, accent and direction. */
export function createPreparedThemes() {
  const cache = new LRUCache<string, PreparedTheme>({
    maxSize: bytesMax,
    sizeCalculation: ({ background }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
  })
  return (theme: ThemeName, accent: Accent, direction: Direction): KeyedTheme => {
    const key = `${theme} ${accent.key} ${direction}`
    const prepared = cache.get(key) ?? themes[theme].prepare(accent, direction)
    cache.set(key, prepared)
    return { key, prepared }
  }
}
