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

interface Wanted {
  readonly theme: ThemeName
  readonly accent: Accent
  readonly direction: Direction
}

const bytesMax = 2 * 2 ** 20

/** Prepares themes, and caches them: cards of one site share theme, accent and direction. */
export function createPreparedThemes() {
  const cache = new LRUCache<string, DirectedTheme, Wanted>({
    maxSize: bytesMax,
    sizeCalculation: ({ background }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
    memoMethod: (key, _stale, { context: { theme, accent, direction } }) => {
      const { background, draw } = themes[theme].prepare(accent)
      const { defs = '', body } = background
      return { background: { key, defs, body: facing(direction, body) }, draw }
    },
  })
  return (wanted: Wanted): DirectedTheme =>
    cache.memo(`${wanted.theme} ${wanted.accent.key} ${wanted.direction}`, { context: wanted })
}
