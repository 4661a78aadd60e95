import { mix, type Rgb } from '../../../lib/color.ts'
import { readable } from '../accent.ts'
import { paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import type { CardSize } from '../card-sizes.ts'
import { lowered } from '../engine/boxes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import type { CardColors, Look, Palettes, TextColors } from '../theme.ts'
import json from './paper.json' with { type: 'json' }

interface Palette extends TextColors {
  readonly background: Rgb
  readonly line: Rgb
  /** Bounds of the accent's lightness. */
  readonly accentMin: number
  readonly accentMax: number
}

const palettes: Palettes<Palette> = {
  light: {
    background: { r: 246, g: 241, b: 230 },
    ink: { r: 29, g: 26, b: 22 },
    paleInk: { r: 92, g: 84, b: 72 },
    line: { r: 214, g: 205, b: 187 },
    accentMin: 0,
    accentMax: 0.56,
  },
  dark: {
    background: { r: 28, g: 25, b: 21 },
    ink: { r: 242, g: 234, b: 217 },
    paleInk: { r: 182, g: 171, b: 150 },
    line: { r: 69, g: 62, b: 52 },
    accentMin: 0.66,
    accentMax: 1,
  },
}

type Colors = CardColors & Palette

/** Theme: a page of a book by day or by lamplight; tall cards are its title page. */
export const paper = themeOf<Colors>(json, {
  patterns: 1,
  colors({ accent, scheme, brandBackground }) {
    const { palette } = paletteOn(palettes, scheme, 'light', brandBackground, (base, colors) => ({
      ...base,
      ...colors,
      line: brandBackground?.second ?? mix(colors.background, colors.ink, 0.18),
    }))
    const { accentMin, accentMax, background, ink, paleInk, line } = palette
    const lightness = Math.max(accentMin, Math.min(accentMax, accent.main.l))
    const mark = readable({ ...accent.main, l: lightness }, background, 4.6)
    const labels = { eyebrow: mark, author: ink, domain: mark, footer: paleInk }
    return { ...palette, ...labels, mark, onMark: background, rule: line }
  },
  background: (look, colors) => ({
    color: colors.background,
    body: filled(colors.background, wholeCard(look.size)) + drawing(look.size, colors, look),
    logoBackgrounds: [colors.background],
  }),
  /** The page leaves a part of the card to the picture: its end, or its head where the card is no wide one. */
  picture(look, colors, _boxes, picture, boxesOn) {
    const { size, direction } = look
    const { widthPx, heightPx, shape } = size
    const { background } = colors
    const isWide = shape === 'wide'
    const leaf = isWide
      ? { ...size, widthPx: Math.round(widthPx * 0.64) }
      : { ...size, heightPx: Math.round(heightPx * (shape === 'tall' ? 0.64 : 0.62)) }
    const y = heightPx - leaf.heightPx
    const plate = isWide
      ? { x: leaf.widthPx, y: 0, width: widthPx - leaf.widthPx, height: heightPx }
      : { x: 0, y: 0, width: widthPx, height: y }
    const leafPath = filled(background, rectangle(0, y, leaf.widthPx, leaf.heightPx))
    const ink = drawing(leaf, colors, look)
    return {
      color: background,
      body: leafPath + (y === 0 ? ink : `<g transform="translate(0 ${y})">${ink}</g>`),
      picture: coverPicture(picture, plate, widthPx, direction).picture,
      boxes: lowered(boxesOn(leaf), y),
      logoBackgrounds: [background],
    }
  },
})

/** The title page is the one about the middle. */
function isTitlePage({ shape }: CardSize, { align }: Look): boolean {
  return align === 'center' || (shape === 'tall' && align === undefined)
}

/** The drawing on the page: a ribbon, or a frame with a diamond where no logo stands. */
function drawing(size: CardSize, { line, mark }: Colors, look: Look): string {
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
    filled(line, frame) + (look.hasLogo ? '' : filled(mark, diamond(widthPx / 2, heightPx - markPx * px)))
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
