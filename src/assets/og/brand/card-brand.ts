import type { Rgb } from '../../../lib/color.ts'
import type { BrandFont } from '../../../text/brand-fonts/brand-font.ts'
import type { Scheme } from '../theme.ts'
import type { ThemeName } from '../themes.ts'

/** How cards of one brand look: one stored revision, with its files read. */
export interface CardBrand {
  /** `acme@3`: equal keys mean equal looks, so it is part of every cache key. */
  readonly key: string
  readonly theme?: ThemeName
  readonly scheme?: Scheme
  /** Hex without `#`, as the parameter `accent`. */
  readonly accent?: string
  /** Hex without `#`: the ground instead of the theme's. */
  readonly ground?: string
  /** Hex without `#`: the second colour of the ground, used as each theme uses one (end of a gradient, band, tiles). */
  readonly ground2?: string
  /** One line, at most 120 characters. */
  readonly footer?: string
  readonly logo?: CardLogo
  readonly titleFont?: BrandFont
  readonly textFont?: BrandFont
  readonly picture?: GroundPicture
}

/** A logo as safe shapes or safe pixels: nothing of the file that was brought is left in it. */
export type CardLogo = ShapesLogo | PixelsLogo

/** Of an SVG, or of simple-icons. */
interface ShapesLogo {
  readonly kind: 'shapes'
  readonly key: string
  /** Of the view box, which begins at (0, 0). */
  readonly width: number
  readonly height: number
  readonly shapes: readonly LogoShape[]
  /** The one colour of all shapes, where it is one: themes draw such a logo in a colour of theirs. */
  readonly singleColor?: string
}

interface LogoShape {
  /** Absolute path data. Non-zero winding. */
  readonly d: string
  /** Hex colour `#rrggbb`. */
  readonly fill: string
  /** 0 to 1; opaque when absent. */
  readonly opacity?: number
}

interface PixelsLogo {
  readonly kind: 'pixels'
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly png: Uint8Array<ArrayBuffer>
}

/** A picture that covers the ground. */
export interface GroundPicture {
  /** The SHA-256 of `jpeg`, in hex. */
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly jpeg: Uint8Array<ArrayBuffer>
  /** What must stay visible where it is cropped: percent of width and height. */
  readonly focus: { readonly x: number; readonly y: number }
  /** What a scrim is computed from. */
  readonly grid: PictureGrid
}

/** Cells of equal size, row by row. */
interface PictureGrid {
  readonly columns: number
  readonly rows: number
  readonly cells: readonly PictureCell[]
}

interface PictureCell {
  /** Of the WCAG relative luminance, 0 to 1. */
  readonly min: number
  readonly max: number
  readonly mean: Rgb
}
