import { LRUCache } from 'lru-cache'
import type { Background, BackgroundPicture } from '../../raster/scene.ts'
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

/** Where the picture of a background lies is kept, the picture itself is not: brands keep those, and fewer of them. */
interface CachedTheme {
  readonly directed: DirectedTheme
  readonly placement?: Omit<BackgroundPicture, 'jpeg'>
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
  const cache = new LRUCache<string, CachedTheme, Wanted>({
    maxSize: bytesMax,
    sizeCalculation: ({ directed: { background } }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
    memoMethod: (key, _stale, { context: { theme, size: sizeName, ...look } }) => {
      const size = cardSizes[sizeName]
      const { background, ...prepared } = themes[theme].prepare({ ...look, size })
      const { defs = '', picture } = background
      const body = facing(look.direction, size.widthPx, background.body)
      const directed = { ...prepared, background: { key, defs, body } }
      if (picture === undefined) return { directed }
      const { jpeg: _, ...placement } = picture
      return { directed, placement }
    },
  })
  return (wanted: Wanted): DirectedTheme => {
    const { theme, accent, direction, scheme = 'own', size, hasLogo, ground } = wanted
    const key = `${theme} ${accent.key} ${direction} ${scheme} ${size}`
    const ofBrand = `${hasLogo ? ' logo' : ''}${ground === undefined ? '' : ` ${ground.key}`}`
    const { directed, placement } = cache.memo(key + ofBrand, { context: wanted })
    const jpeg = ground?.picture?.jpeg
    if (placement === undefined || jpeg === undefined) return directed
    return { ...directed, background: { ...directed.background, picture: { ...placement, jpeg } } }
  }
}
