import type { CardSize } from '../card-sizes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import type { CardColors, Look } from '../theme.ts'
import json from './paper.json' with { type: 'json' }

/** Theme: a page of a book by day or by lamplight; tall cards are its title page. */
export const paper = themeOf(json, {
  patterns: 1,
  background: (look, colors) => ({
    color: colors.background,
    body: filled(colors.background, wholeCard(look.size)) + drawing(look.size, colors, look),
    logoBackgrounds: [colors.background],
  }),
  sheet: { wide: 0.64, square: 0.62, tall: 0.64 },
})

/** The title page is the one about the middle. */
function isTitlePage({ shape }: CardSize, { align }: Look): boolean {
  return align === 'center' || (shape === 'tall' && align === undefined)
}

/** The drawing on the page: a ribbon, or a frame with a diamond where no logo stands. */
function drawing(size: CardSize, { rule, mark }: CardColors, look: Look): string {
  const { widthPx, heightPx, shape, unit } = size
  if (!isTitlePage(size, look)) {
    const ownUnit = shape === 'wide' ? unit : 1.2
    return filled(mark, ribbon(widthPx - Math.round(140 * ownUnit), ownUnit))
  }
  const isLow = heightPx < 0.8 * widthPx
  const px = isLow && shape !== 'wide' ? 1.15 : unit
  const [outer, inner, markPx] = isLow ? [26, 37, 144] : [52, 66, 262]
  const frame =
    outline(outer * px, widthPx, heightPx, 4 * px) + outline(inner * px, widthPx, heightPx, 1.5 * px)
  return (
    filled(rule, frame) + (look.hasLogo ? '' : filled(mark, diamond(widthPx / 2, heightPx - markPx * px)))
  )
}

function ribbon(x: number, unit: number): string {
  const [w, h, notch] = [52, 96, 20].map((length) => Math.round(length * unit)) as [number, number, number]
  return `M${x} 0h${w}v${h}l-${w / 2}-${notch}-${w / 2} ${notch}z`
}

function diamond(x: number, y: number): string {
  return `M${x} ${y - 11}l11 11-11 11-11-11z${rectangle(x - 96, y - 1, 66, 2)}${rectangle(x + 30, y - 1, 66, 2)}`
}

/** Four sides of a frame. */
function outline(inset: number, widthPx: number, heightPx: number, strokePx: number): string {
  const [w, h] = [widthPx - 2 * inset, heightPx - 2 * inset]
  return [
    rectangle(inset, inset, w, strokePx),
    rectangle(inset, inset + h - strokePx, w, strokePx),
    rectangle(inset, inset + strokePx, strokePx, h - 2 * strokePx),
    rectangle(inset + w - strokePx, inset + strokePx, strokePx, h - 2 * strokePx),
  ].join('')
}
