/** A logo as safe shapes or safe pixels: nothing of the file that was brought is left in it. */
export type CardLogo = ShapesLogo | PixelsLogo

/** A logo made of shapes, from an SVG or from simple-icons. */
export interface ShapesLogo {
  readonly kind: 'shapes'
  readonly key: string
  /** Size of the view box, which begins at (0, 0). */
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

export interface PixelsLogo {
  readonly kind: 'pixels'
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly png: Uint8Array<ArrayBuffer>
}
