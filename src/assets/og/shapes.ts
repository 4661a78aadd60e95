import { type Rgb, toHex } from '../../lib/color.ts'
import { shortNumber } from '../../svg/svg-values.ts'
import type { Direction } from '../../text/types.ts'
import type { CardSize } from './theme.ts'

/** SVG path data for the few shapes that cards are made of. Lengths in px, y down. */

export function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${shortNumber(x)} ${shortNumber(y)}h${shortNumber(width)}v${shortNumber(height)}h${shortNumber(-width)}z`
}

/** The reach of a cubic curve's handles, as a share of the radius, to look like a quarter of a circle. */
const handle = 0.5523

/** A rectangle with round corners; half the height gives a pill. Curves, not arcs: every rasteriser reads them. */
export function roundedRectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): string {
  const [w, h] = [width - 2 * radius, height - 2 * radius]
  const start = `M${shortNumber(x + radius)} ${shortNumber(y)}h${shortNumber(w)}${quarter(radius, radius, true)}v${shortNumber(h)}`
  return `${start}${quarter(-radius, radius, false)}h${shortNumber(-w)}${quarter(-radius, -radius, true)}v${shortNumber(-h)}${quarter(radius, -radius, false)}z`
}

/** A quarter of an ellipse from the pen to (dx, dy), leaving along x or along y. */
function quarter(dx: number, dy: number, alongX: boolean): string {
  const [nearX, nearY] = alongX ? [dx * handle, 0] : [0, dy * handle]
  const [farX, farY] = alongX ? [dx, dy * (1 - handle)] : [dx * (1 - handle), dy]
  const numbers = [nearX, nearY, farX, farY, dx, dy].map((value) => shortNumber(value))
  // A minus sign separates as well as a space does.
  return `c${numbers.join(' ').replaceAll(' -', '-')}`
}

export function circle(cx: number, cy: number, radius: number, hole = false): string {
  return ellipse(cx, cy, radius, radius, hole)
}

/** An upright ellipse; drawn the other way round it is a hole in what surrounds it. */
export function ellipse(cx: number, cy: number, rx: number, ry: number, hole = false): string {
  const down = hole ? 1 : -1
  const quarters = [quarter(rx, down * ry, false), quarter(rx, -down * ry, true)]
  const back = [quarter(-rx, -down * ry, false), quarter(-rx, down * ry, true)]
  return `M${shortNumber(cx - rx)} ${shortNumber(cy)}${quarters.join('')}${back.join('')}z`
}

export function ring(cx: number, cy: number, radius: number, stroke: number): string {
  return circle(cx, cy, radius + stroke / 2) + circle(cx, cy, radius - stroke / 2, true)
}

export function wholeCard({ widthPx, heightPx }: Pick<CardSize, 'widthPx' | 'heightPx'>): string {
  return rectangle(0, 0, widthPx, heightPx)
}

/** A path element. `paint` is a colour or a reference to a paint server. */
export function filled(paint: Rgb | string, d: string): string {
  return `<path fill="${typeof paint === 'string' ? paint : toHex(paint)}" d="${d}"/>`
}

/** Mirrors shapes that are drawn for left-to-right where the card reads right-to-left. */
export function facing(direction: Direction, widthPx: number, body: string): string {
  return direction === 'ltr' ? body : `<g transform="matrix(-1 0 0 1 ${widthPx} 0)">${body}</g>`
}

/** In reading direction. */
export type Align = 'start' | 'center' | 'end'

/** A rectangle on the canvas; x counts from the side where the card's language starts. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The start of something within its room, by the width that it leaves free. */
export function startIn(align: Align, freePx: number): number {
  return align === 'start' ? 0 : align === 'end' ? freePx : freePx / 2
}
