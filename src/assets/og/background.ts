import { type Rgb, toHex } from '../../lib/color.ts'
import type { Direction } from '../../text/types.ts'
import type { CardSize } from './card-sizes.ts'
import { rectangle } from './shapes.ts'

/** Path data of the whole card. */
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
