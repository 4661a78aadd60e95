import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Background } from '../../raster/scene.ts'
import { cardSizes, type SizeName } from './card-sizes.ts'
import { facing } from './shapes.ts'
import type { Look, PreparedTheme, Theme } from './theme.ts'

/** Every theme, in the order in which documents list them. A new theme is a file in `themes/` and its line here. */
const loaders = {
  aurora: async () => (await import('./themes/aurora.ts')).aurora,
  paper: () => compiled(import('./themes/paper.json', { with: { type: 'json' } })),
  grid: () => compiled(import('./themes/grid.json', { with: { type: 'json' } })),
  poster: async () => (await import('./themes/poster.ts')).poster,
  terminal: async () => (await import('./themes/terminal.ts')).terminal,
  plain: () => compiled(import('./themes/plain.json', { with: { type: 'json' } })),
} satisfies Readonly<Record<string, () => Promise<Theme>>>

/** The compiler is loaded with the first theme: the client names themes and draws none. */
async function compiled(file: Promise<{ readonly default: unknown }>): Promise<Theme> {
  const { themeOf } = await import('./engine/compile-theme.ts')
  return themeOf((await file).default)
}

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

/** A theme with the whole background of one look and direction. */
interface DirectedTheme extends PreparedTheme {
  readonly background: Background
}

interface Wanted extends Omit<Look, 'size'>, Pick<Theme, 'prepare'> {
  readonly theme: ThemeName
  readonly size: SizeName
}

const bytesMax = 2 * 2 ** 20

/** Prepares themes, and caches them: cards of one site share everything but their texts. */
export function createPreparedThemes() {
  const cache = new LRUCache<string, DirectedTheme, Wanted>({
    maxSize: bytesMax,
    sizeCalculation: ({ background }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
    memoMethod: (lookKey, _stale, { context: { prepare, theme: _, size: sizeName, ...look } }) => {
      const size = cardSizes[sizeName]
      const { background, ...prepared } = prepare({ ...look, size })
      const { color, defs = '', picture } = background
      const body = facing(look.direction, size.widthPx, background.body)
      // Several looks of a theme may have one background.
      const key = picture === undefined ? hash('sha256', `${color}${defs}${body}`) : lookKey
      // The pixels of the picture are in the brand cache.
      const placement = picture && { picture: { ...picture, jpeg: noPixels } }
      return { ...prepared, background: { key, color, defs, body, ...placement } }
    },
  })
  return (wanted: Wanted): DirectedTheme => {
    const prepared = cache.memo(keyOf(wanted), { context: wanted })
    const { background } = prepared
    const jpeg = wanted.brandBackground?.picture?.jpeg
    if (background.picture === undefined || jpeg === undefined) return prepared
    return { ...prepared, background: { ...background, picture: { ...background.picture, jpeg } } }
  }
}

const noPixels = new Uint8Array(0)

function keyOf({ theme, accent, pattern, direction, scheme, align, size, ...wanted }: Wanted): string {
  const { hasLogo, textArea, brandBackground } = wanted
  const look = `${theme} ${accent.key} ${direction} ${scheme ?? 'own'} ${size} ${pattern} ${textArea}${hasLogo ? ' logo' : ''}${align === undefined ? '' : ` ${align}`}`
  return brandBackground === undefined ? look : `${look} ${brandBackground.key}`
}
