import { Buffer } from 'node:buffer'
import { shortNumber } from '../svg/svg-values.ts'
import type { PlacedEmoji } from '../text/block-path.ts'

/** Every id in a scene starts with it, so that several cards can stand in one page's markup. */
export const idPrefix = 'og-'

/** The drawing of a theme, which `assets/og/scene-to-svg.ts` writes as SVG and `raster/` paints: the background, then layers. */
export interface Scene {
  readonly widthPx: number
  readonly heightPx: number
  readonly background: Background
  readonly layers: readonly Layer[]
}

/** Everything that does not depend on the words, only on theme, accent and direction. */
export interface Background {
  /** Equal keys mean equal pictures: the rasteriser caches by it. */
  readonly key: string
  /** Hex colour `#rrggbb` below everything: a pixel that the shapes or the picture cover in part is opaque all the same. */
  readonly color: string
  /** `<defs>` content; every id starts with the scene's prefix. */
  readonly defs: string
  /** Shapes, without filters. The SVG has no colour below them, so they paint the whole background. */
  readonly body: string
  /** Below the shapes, which then need not paint the whole background. */
  readonly picture?: BackgroundPicture
}

interface PlacedBox {
  readonly x: number
  readonly y: number
  readonly widthPx: number
  readonly heightPx: number
}

/** A JPEG that covers the background, or a part that the shapes leave open; what lies outside of the card is cut off. */
export interface BackgroundPicture extends PlacedBox {
  readonly jpeg: Uint8Array<ArrayBuffer>
}

export type Layer = PathLayer | (PlacedEmoji & { readonly kind: 'emoji' }) | PictureLayer

/** One filled outline. Coordinates inside `d` are multiplied by `scale`, then moved to (x, y). Non-zero winding. */
export interface PathLayer {
  readonly kind: 'path'
  readonly d: string
  readonly x: number
  readonly y: number
  readonly scale: number
  readonly fill: string
  /** The colour at the lower edge of the outline, into which `fill` passes from its upper edge. */
  readonly foot?: string | undefined
  readonly opacity?: number | undefined
}

export interface PictureLayer extends PlacedBox {
  readonly kind: 'picture'
  readonly key: string
  /** A file that we encoded: it is drawn as it is. */
  readonly png: Uint8Array<ArrayBuffer>
}

type DrawnBackground = Pick<Background, 'defs' | 'body' | 'picture'>

export function backgroundSvg(background: DrawnBackground): string {
  return backgroundPieces(background).join('')
}

/** The background in pieces, one of which is the whole picture in base64: it is longer than all the others. */
export function backgroundPieces({ defs, body, picture }: DrawnBackground): readonly string[] {
  const head = defs === '' ? '' : `<defs>${defs}</defs>`
  if (picture === undefined) return [head, body]
  const { jpeg, x, y, widthPx, heightPx } = picture
  const box = `x="${shortNumber(x)}" y="${shortNumber(y)}" width="${shortNumber(widthPx)}" height="${shortNumber(heightPx)}"`
  const start = `${head}<image ${box} preserveAspectRatio="none" href="data:image/jpeg;base64,`
  return [start, Buffer.from(jpeg).toString('base64'), `"/>${body}`]
}
