import { LRUCache } from 'lru-cache'
import type { Background } from '../../raster/scene.ts'
import type { Direction } from '../../text/types.ts'
import type { Accent } from './accent.ts'
import { facing } from './background.ts'
import type { PreparedTheme } from './theme.ts'
import { type ThemeName, themes } from './themes.ts'

/** A theme with the whole background of one accent and direction. */
interface DirectedTheme extends PreparedTheme {
  readonly background: Background
}

const bytesMax = 2 * 2 ** 20

/** Prepares themes, and caches them: cards of one site share theme, accent and direction. */
export function createPreparedThemes() {
  const cache = new LRUCache<string, DirectedTheme>({
    maxSize: bytesMax,
    sizeCalculation: ({ background }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
  })
  return (theme: ThemeName, accent: Accent, direction: Direction): DirectedTheme => {
    const key = `${theme} ${accent.key} ${direction}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const { background, draw } = themes[theme].prepare(accent)
    const { defs = '', body } = background
    const prepared = { background: { key, defs, body: facing(direction, body) }, draw }
    cache.set(key, prepared)
    return prepared
  }
}
