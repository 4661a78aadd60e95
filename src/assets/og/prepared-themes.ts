import { LRUCache } from 'lru-cache'
import type { Background } from '../../raster/scene.ts'
import type { Direction } from '../../text/types.ts'
import type { Accent } from './accent.ts'
import { facing } from './background.ts'
import { cardSizes, type SizeName } from './card-sizes.ts'
import type { BrandGround } from './ground/brand-ground.ts'
import type { PreparedTheme, Scheme } from './theme.ts'
import { type ThemeName, themes } from './themes.ts'

/** A theme with the whole background of one look and direction. */
interface DirectedTheme extends PreparedTheme {
  readonly background: Background
}

interface Wanted {
  readonly theme: ThemeName
  readonly accent: Accent
  readonly direction: Direction
  readonly scheme: Scheme | undefined
  readonly size: SizeName
  readonly hasLogo: boolean
  readonly ground: BrandGround | undefined
}

const bytesMax = 2 * 2 ** 20

/** Prepares themes, and caches them: cards of one site share everything but their words. */
export function createPreparedThemes() {
  const cache = new LRUCache<string, DirectedTheme, Wanted>({
    maxSize: bytesMax,
    sizeCalculation: ({ background }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
    memoMethod: (key, _stale, { context: { theme, size: sizeName, ...look } }) => {
      const size = cardSizes[sizeName]
      const { background, ...prepared } = themes[theme].prepare({ ...look, size })
      const { defs = '', body } = background
      const mirrored = facing(look.direction, size.widthPx, body)
      return { ...prepared, background: { ...background, key, defs, body: mirrored } }
    },
  })
  return (wanted: Wanted): DirectedTheme => {
    const { theme, accent, direction, scheme = 'own', size, hasLogo, ground } = wanted
    const key = `${theme} ${accent.key} ${direction} ${scheme} ${size}`
    const ofBrand = `${hasLogo ? ' logo' : ''}${ground === undefined ? '' : ` ${ground.key}`}`
    return cache.memo(key + ofBrand, { context: wanted })
  }
}
