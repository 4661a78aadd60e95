import { mix, type Rgb, toHex } from '../../lib/color.ts'
import { shortNumber } from '../../svg/svg-values.ts'
import { accentOf, shade } from './accent.ts'
import type { Area } from './area.ts'
import { filled, wholeCard } from './background.ts'
import type { CardSize } from './card-sizes.ts'
import type { Boxes } from './engine/theme-contract.ts'
import { circle, roundedRectangle } from './shapes.ts'
import type { Look } from './theme.ts'

/** Heights of the bar of the title and of the status, in units. */
export const [barPx, statusPx] = [58, 66] as const

interface WindowColors {
  readonly background: Rgb
  readonly frame: Rgb
  readonly label: Rgb
}

interface DesktopColors {
  /** Lightness of the desktop. */
  readonly desktop: number
  readonly chroma: number
}

/** How opaque the parts of a window are that stands before a picture. */
interface Panes {
  readonly glass: number
  readonly bars: number
}

function windowArea({ content: { x, y, width, height } }: Boxes, { widthPx, shape }: CardSize): Area {
  return shape === 'wide' ? { x, y, width: widthPx - x, height } : { x, y, width, height }
}

/** The window with its bars; `panes` are how opaque they are before a picture. */
export function terminalWindow(
  boxes: Boxes,
  size: CardSize,
  { background, frame, label }: WindowColors,
  panes?: Panes,
): string {
  const { unit } = boxes
  const { x, y, width, height } = windowArea(boxes, size)
  const radius = Math.round(20 * unit)
  const endRadius = size.shape === 'wide' ? 0 : radius
  const [bar, status] = [Math.round(barPx * unit), Math.round(statusPx * unit)]
  const head = `M${x} ${y + bar}V${y + radius}a${radius} ${radius} 0 0 1 ${radius}-${radius}H${x + width - endRadius}${corner(endRadius, endRadius)}V${y + bar}z`
  const foot = `M${x + width} ${y + height - status}v${status - endRadius}${corner(-endRadius, endRadius)}H${x + radius}a${radius} ${radius} 0 0 1 -${radius}-${radius}v${radius - status}z`
  const window = `M${x} ${y + radius}a${radius} ${radius} 0 0 1 ${radius}-${radius}H${x + width - endRadius}${corner(endRadius, endRadius)}V${y + height - endRadius}${corner(-endRadius, endRadius)}H${x + radius}a${radius} ${radius} 0 0 1 -${radius}-${radius}z`
  const dots = [0, 1, 2]
    .map((index) => circle(x + (38 + 30 * index) * unit, y + bar / 2, 8.5 * unit))
    .join('')
  // Beside each other the panes would leave a seam where the card is drawn smaller.
  return [
    pane(background, window, panes?.glass),
    pane(frame, head + foot, panes?.bars),
    filled(mix(frame, label, 0.35), dots),
  ].join('')
}

/** A quarter of a circle, clockwise; nothing where the window leaves the card. */
function corner(dx: number, dy: number): string {
  const radius = Math.abs(dx)
  return radius === 0 ? '' : `a${radius} ${radius} 0 0 1 ${dx} ${dy}`
}

function pane(color: Rgb, d: string, opacity?: number): string {
  return opacity === undefined
    ? filled(color, d)
    : `<path fill="${toHex(color)}" fill-opacity="${shortNumber(opacity)}" d="${d}"/>`
}

/** The window's shadow in two hard steps: a soft one would need a filter. */
export function windowShadow(boxes: Boxes, size: CardSize): string {
  const { x, y, width, height } = windowArea(boxes, size)
  const { unit } = boxes
  return [18, 9]
    .map((drop) =>
      roundedRectangle(
        x - (drop / 3) * unit,
        y + drop * unit,
        width + ((drop * 2) / 3) * unit,
        height,
        20 * unit,
      ),
    )
    .map((d) => `<path fill-opacity=".14" d="${d}"/>`)
    .join('')
}

/** Two colours that meet in a slope. */
export function terminalDesktop(
  { accent, size, brandBackground }: Look,
  { desktop: lightness, chroma }: DesktopColors,
): string {
  const { main, second } = brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
  const { widthPx, heightPx } = size
  const slope = `M0 ${Math.round(heightPx * 0.62)}L${widthPx} ${Math.round(heightPx * 0.2)}V${heightPx}H0z`
  return (
    filled(shade(main, lightness, chroma), wholeCard(size)) +
    filled(shade(second, lightness - 0.06, chroma), slope)
  )
}
