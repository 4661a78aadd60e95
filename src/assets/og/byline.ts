import { type Rgb, white } from '../../lib/color.ts'
import type { Canvas } from './canvas.ts'
import { circle } from './shapes.ts'
import type { CardTexts } from './theme.ts'

interface BylineSpec {
  readonly x: number
  readonly centreY: number
  readonly maxWidthPx: number
  readonly color: Rgb
  /** Colour of the disc, on which white initials are readable. */
  readonly discColor: Rgb
  /** How many px a length of the usual byline is. */
  readonly unit: number
}

/** Radius of the disc, in units. */
const radius = 24
const gap = 18
/** Path data by radius: there are two. */
const discs = new Map<number, string>()

/** The author's name behind a disc with initials. */
export function drawByline(texts: CardTexts, canvas: Canvas, spec: BylineSpec): void {
  const { x, centreY, unit } = spec
  if (texts.author === undefined) return
  const radiusPx = Math.round(radius * unit)
  const indentPx = texts.initials === undefined ? 0 : 2 * radiusPx + Math.round(gap * unit)
  if (texts.initials !== undefined) {
    canvas.shape(discOf(radiusPx), x, centreY - radiusPx, 2 * radiusPx, spec.discColor)
    const sizePx = Math.round(initialsPx(texts.initials) * unit)
    const letters = canvas.line('initials', texts.initials, sizePx, 2 * radiusPx - 8)
    canvas.label('initials', letters, x, centreY, 2 * radiusPx, white, 'center')
  }
  const name = canvas.line('author', texts.author, Math.round(27 * unit), spec.maxWidthPx - indentPx)
  canvas.label('author', name, x + indentPx, centreY, spec.maxWidthPx - indentPx, spec.color)
}

/** One letter may be larger than two, and letters that stack or join need more room than their advance. */
function initialsPx(initials: string): number {
  return initials.length > 2 ? 16 : initials.length > 1 ? 19 : 21
}

function discOf(radiusPx: number): string {
  const disc = discs.get(radiusPx) ?? circle(radiusPx, radiusPx, radiusPx)
  discs.set(radiusPx, disc)
  return disc
}
