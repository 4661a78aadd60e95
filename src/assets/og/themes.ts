import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { toHex } from '../../lib/color.ts'
import type { Background } from '../../raster/scene.ts'
import type { Theme } from './engine/define-theme.ts'
import type { ThemeFile } from './engine/theme-file.ts'
import { facing } from './shapes.ts'
import { cardSizes, type Look, type SizeName } from './theme.ts'

/** Every theme, in the order in which documents list them. A new theme is a file in `themes/` and its line here. */
const files = {
  aurora: () => import('./themes/aurora.json', { with: { type: 'json' } }),
  paper: () => import('./themes/paper.json', { with: { type: 'json' } }),
  grid: () => import('./themes/grid.json', { with: { type: 'json' } }),
  poster: () => import('./themes/poster.json', { with: { type: 'json' } }),
  terminal: () => import('./themes/terminal.json', { with: { type: 'json' } }),
  plain: () => import('./themes/plain.json', { with: { type: 'json' } }),
} satisfies Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>

export type ThemeName = keyof typeof files

export const themeNames = Object.keys(files) as readonly ThemeName[]

export const usualTheme: ThemeName = 'aurora'

/** The theme file of somebody, as its members in JSON. */
export interface ThemeSource {
  /** Equal keys mean equal themes. */
  readonly key: string
  readonly json: string
}

export type ThemeChoice = ThemeName | ThemeSource

const loaded = new LRUCache<string, Theme>({ max: themeNames.length + 16 })

function nameOf(theme: ThemeChoice): string {
  return typeof theme === 'string' ? theme : theme.key
}

/** The theme if it is loaded, which it is with its first card. */
export function loadedTheme(theme: ThemeChoice): Theme | undefined {
  return loaded.get(nameOf(theme))
}

/** The compiler is loaded with the first theme: the client names themes and draws none. */
export async function loadTheme(theme: ThemeChoice): Promise<Theme> {
  const { themeOf } = await import('./engine/define-theme.ts')
  const isOurs = typeof theme === 'string'
  const file: unknown = isOurs ? (await files[theme]()).default : JSON.parse(theme.json)
  const compiled = themeOf(file as ThemeFile, isOurs)
  loaded.set(nameOf(theme), compiled)
  return compiled
}

export async function themeJson(name: ThemeName): Promise<unknown> {
  return (await files[name]()).default
}

/** A theme with the whole background of one look and direction. */
type DirectedTheme = Omit<ReturnType<Theme['prepare']>, 'ground'> & { readonly background: Background }

interface Wanted extends Omit<Look, 'size'>, Pick<Theme, 'prepare'> {
  readonly theme: ThemeChoice
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
      const { ground, ...prepared } = prepare({ ...look, size })
      const { defs = '', picture } = ground
      const color = toHex(ground.color)
      const body = facing(look.direction, size.widthPx, ground.body)
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

function keyOf(wanted: Wanted): string {
  const { theme, accent, pattern, direction, scheme, align, size, hasLogo, textArea, brandBackground } =
    wanted
  const look = `${nameOf(theme)} ${accent.key} ${direction} ${scheme ?? 'own'} ${size} ${pattern} ${textArea}${hasLogo ? ' logo' : ''}${align === undefined ? '' : ` ${align}`}`
  return brandBackground === undefined ? look : `${look} ${brandBackground.key}`
}
