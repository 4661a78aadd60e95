import { rectangle, roundedRectangle } from '../../src/assets/og/shapes.ts'
import type { Sheet } from './sheet.ts'
import { digits, timeText } from './units.ts'

/** Who takes how long for one thing; ours comes first. */
export interface BarPanel {
  readonly title: string
  readonly bars: readonly { readonly name: string; readonly micros: number }[]
}

const barPx = 16
const stepPx = 26
const headPx = 22
export const panelGapPx = 30
const nameWidthPx = 138
/** Room for a time and how many times ours it is. */
const figurePx = 100

export function panelHeightPx({ bars }: BarPanel): number {
  return headPx + bars.length * stepPx
}

/** Bars on one scale that ends at the slowest. Whoever reads sees lengths: the scale starts at 0. */
export function drawPanel(
  sheet: Sheet,
  { title, bars }: BarPanel,
  x: number,
  y: number,
  widthPx: number,
): void {
  const { palette } = sheet
  const [own] = bars
  if (own === undefined) return
  sheet.text(title, x, y + 10, { weight: 600 })
  const longest = Math.max(...bars.map(({ micros }) => micros))
  const room = widthPx - nameWidthPx - figurePx
  for (const [index, { name, micros }] of bars.entries()) {
    const isOwn = index === 0
    const top = y + headPx + index * stepPx
    const baseline = top + barPx - 3.5
    const ink = isOwn ? palette.ours : palette.paleInk
    sheet.text(name, x, baseline, { sizePx: 13, weight: isOwn ? 600 : 400, color: ink })
    const length = Math.max(3, (micros / longest) * room)
    const left = x + nameWidthPx
    sheet.fill(barPath(left, top, length), isOwn ? palette.ours : palette.peer)
    const end = left + length + 8
    const width = sheet.text(timeText(micros), end, baseline, { sizePx: 13, weight: 500 })
    if (!isOwn)
      sheet.text(`${digits(micros / own.micros)}×`, end + width + 8, baseline, {
        sizePx: 13,
        color: palette.paleInk,
      })
  }
}

/** Square where it starts, round where it ends. */
function barPath(left: number, top: number, length: number): string {
  const radius = Math.min(4, length / 2)
  return rectangle(left, top, length - radius, barPx) + roundedRectangle(left, top, length, barPx, radius)
}
