import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Background, BackgroundPicture } from '../../raster/scene.ts'
import { facing } from './background.ts'
import { cardSizes, type SizeName } from './card-sizes.ts'
import type { Look, PreparedTheme, Theme } from './theme.ts'
import type { ThemeName } from './themes.ts'

/** A theme with the whole background of one look and direction. */
interface DirectedTheme extends PreparedTheme {
  readonly background: Background
}

/** Caches the position of the picture, not its pixels, which are in the brand cache. */
interface CachedTheme {
  readonly directed: DirectedTheme
  readonly placement?: Omit<BackgroundPicture, 'jpeg'>
}

interface Wanted extends Omit<Look, 'size'>, Pick<Theme, 'prepare'> {
  readonly theme: ThemeName
  readonly size: SizeName
}

const bytesMax = 2 * 2 ** 20

/** Prepares themes, and caches them: cards of one site share everything but their texts. */
export function createPreparedThemes() {
  const cache = new LRUCache<string, CachedTheme, Wanted>({
    maxSize: bytesMax,
    sizeCalculation: ({ directed: { background } }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
    memoMethod: (lookKey, _stale, { context: { prepare, theme: _, size: sizeName, ...look } }) => {
      const size = cardSizes[sizeName]
      const { background, ...prepared } = prepare({ ...look, size })
      const { color, defs = '', picture } = background
      const body = facing(look.direction, size.widthPx, background.body)
      // Several looks of a theme may have one background.
      const key = picture === undefined ? hash('sha256', `${color}${defs}${body}`) : lookKey
      const directed = { ...prepared, background: { key, color, defs, body } }
      if (picture === undefined) return { directed }
      const { jpeg: _jpeg, ...placement } = picture
      return { directed, placement }
    },
  })
  return (wanted: Wanted): DirectedTheme => {
    const { brandBackground } = wanted
    const { directed, placement } = cache.memo(keyOf(wanted), { context: wanted })
    const jpeg = brandBackground?.picture?.jpeg
    if (placement === undefined || jpeg === undefined) return directed
    return { ...directed, background: { ...directed.background, picture: { ...placement, jpeg } } }
  }
}

/** Only a picture makes way for a domain and a byline. */
function keyOf(wanted: Wanted): string {
  const {
    theme,
    accent,
    pattern,
    direction,
    scheme = 'own',
    size,
    hasLogo,
    hasDomain,
    hasByline,
    brandBackground,
  } = wanted
  const look = `${theme} ${accent.key} ${direction} ${scheme} ${size} ${pattern}${hasLogo ? ' logo' : ''}`
  if (brandBackground === undefined) return look
  const room =
    brandBackground.picture === undefined ? '' : `${hasDomain ? ' domain' : ''}${hasByline ? ' byline' : ''}`
  return `${look} ${brandBackground.key}${room}`
}
