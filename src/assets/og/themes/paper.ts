import { mix, type Rgb } from '../../../lib/color.ts'
import { readable } from '../accent.ts'
import { paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import type { CardSize } from '../card-sizes.ts'
import { labelBoxes, lowered, scaledSizes, sizeSteps } from '../engine/boxes.ts'
import { defineTheme } from '../engine/define-theme.ts'
import { dash, noOrnament } from '../engine/ornaments.ts'
import type { Boxes } from '../engine/theme-contract.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import type { CardColors, Look, Palettes, TextColors } from '../theme.ts'

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
export const paper = defineTheme<Colors>({
  patterns: 1,
  styles: {
    eyebrow: { family: 'sans', weight: 600 },
    title: { family: 'serif', weight: 500, trackingUnits: -14 },
    subtitle: { family: 'serif-italic', weight: 400 },
    author: { family: 'serif', weight: 500 },
    domain: { family: 'sans', weight: 500 },
  },
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
  boxes: { wide: page, square: page, tall: page },
  background: (look, colors) => ({
    color: colors.background,
    body: filled(colors.background, wholeCard(look.size)) + drawing(look.size, colors, look),
    logoBackgrounds: [colors.background],
  }),
  /** The page leaves a part of the card to the picture: its end, or its head where the card is no wide one. */
  picture(look, colors, _boxes, picture) {
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
      boxes: lowered(page(leaf, look), y),
      logoBackgrounds: [background],
    }
  },
})

const wideSizes = [164, 146, 130, 116, 104, 94, 86, 80, 73, 66, 59, 52, 46, 42]

/** The title page is the one about the middle. */
function isTitlePage({ shape }: CardSize, { align }: Look): boolean {
  return align === 'center' || (shape === 'tall' && align === undefined)
}

function page(size: CardSize, look: Look): Boxes {
  return isTitlePage(size, look) ? titlePage(size, look.hasLogo) : bookPage(size)
}

/** Text between two rules, a ribbon at the head. A square page begins at its top, a wide one balances in the middle. */
function bookPage({ widthPx, heightPx, shape, unit: wideUnit }: CardSize): Boxes {
  const isWide = shape === 'wide'
  const unit = isWide ? wideUnit : 1.2
  const margin = Math.round(88 * (isWide ? unit : 1))
  const width = widthPx - 2 * margin
  const [topRule, bottomRule] = [Math.round(124 * unit), heightPx - Math.round(108 * unit)]
  const top = topRule + Math.round(24 * unit * (isWide ? 1 : 1.6))
  const y = Math.round(64 * unit)
  return {
    content: { x: margin, y, width, height: heightPx - Math.round(64 * unit + 28 * unit) },
    unit,
    text: {
      top,
      bareTop: isWide ? Math.round(84 * unit) : top,
      bottom: bottomRule - Math.round(24 * unit),
      bareBottom: heightPx - Math.round(84 * unit),
      anchor: isWide ? 0.5 : 0.42,
      align: 'start',
    },
    eyebrow: { sizesPx: [Math.round(30 * unit)], maxLines: 2, ornament: noOrnament },
    title: {
      sizesPx: isWide ? scaledSizes(wideSizes, unit) : sizeSteps(172, 50),
      maxLines: isWide ? 4 : 6,
      leading: 1.08,
      maxHeightPx: isWide ? heightPx - 362 * unit : heightPx * 0.52,
    },
    subtitle: {
      sizesPx: isWide ? scaledSizes([38, 34, 30], unit) : [48, 44, 40, 36],
      maxLines: isWide ? 2 : 4,
      leading: 1.32,
      maxWidthPx: isWide ? Math.round(900 * unit) : width,
    },
    ...labelBoxes(30, { byline: ['foot', dash], domain: ['head'], footer: ['head'] }),
    head: {
      centreY: topRule - Math.round(34 * unit),
      linePx: Math.round(40 * unit),
      align: 'start',
      widthPx: width - Math.round(92 * unit),
      rule: { y: topRule, px: 2 },
    },
    foot: {
      centreY: bottomRule + Math.round(46 * unit),
      linePx: Math.round(44 * unit),
      align: 'start',
      rule: { y: bottomRule, px: 2 },
    },
    logo: {
      row: 'foot',
      area: {
        x: margin + width * 0.5,
        y: bottomRule + Math.round(16 * unit),
        width: width * 0.5,
        height: Math.floor(56 * unit),
      },
      sidePx: Math.floor(56 * unit) * 0.88,
      align: 'end',
    },
  }
}

/** Places on the title page, in units from the top or from the bottom. */
const titlePages = {
  upright: {
    frame: [52, 66],
    head: 142,
    top: 200,
    bareTop: 150,
    mark: 262,
    logo: 338,
    foot: 172,
    gap: 48,
    logoPx: 112,
    inset: 112,
  },
  low: {
    frame: [26, 37],
    head: 88,
    top: 138,
    bareTop: 84,
    mark: 144,
    logo: 190,
    foot: 90,
    gap: 38,
    logoPx: 54,
    inset: 44,
  },
} as const

function titlePlaces({ widthPx, heightPx, shape, unit }: CardSize) {
  const isLow = heightPx < 0.8 * widthPx
  return [titlePages[isLow ? 'low' : 'upright'], isLow && shape !== 'wide' ? 1.15 : unit] as const
}

/** Centred in a double frame, a diamond or the printer’s mark above the author's name. */
function titlePage(size: CardSize, hasLogo: boolean): Boxes {
  const { widthPx, heightPx, shape } = size
  const isWide = shape === 'wide'
  const [at, px] = titlePlaces(size)
  const margin = 120
  const width = widthPx - 2 * margin
  const bottom = heightPx - ((hasLogo ? at.logo : at.mark) + at.gap) * px
  const logoPx = at.logoPx * px
  return {
    content: { x: margin, y: at.inset * px, width, height: heightPx - 2 * at.inset * px },
    unit: isWide ? px : 1.25,
    text: {
      top: at.top * px,
      bareTop: at.bareTop * px,
      bottom,
      bareBottom: bottom,
      anchor: 0.46,
      align: 'center',
    },
    eyebrow: { sizesPx: [isWide ? Math.round(30 * px) : 36], maxLines: 2, ornament: noOrnament },
    title: {
      sizesPx: isWide ? scaledSizes(wideSizes, px) : sizeSteps(168, 52),
      maxLines: 8,
      leading: 1.1,
      maxHeightPx: heightPx * 0.5,
    },
    subtitle: {
      sizesPx: isWide ? scaledSizes([38, 34, 30], px) : [48, 44, 40, 36],
      maxLines: 5,
      leading: 1.32,
      maxWidthPx: width * 0.92,
    },
    byline: { row: 'foot', sizePx: 30, ornament: noOrnament },
    domain: { row: 'head', sizePx: 30, ornament: noOrnament },
    footer: { row: 'foot', sizePx: 27, ornament: noOrnament },
    head: { centreY: at.head * px, linePx: 0, align: 'center' },
    foot: { centreY: heightPx - at.foot * px, linePx: 50, align: 'center' },
    logo: {
      row: undefined,
      area: { x: margin + width * 0.15, y: heightPx - at.logo * px, width: width * 0.7, height: logoPx },
      sidePx: logoPx * 0.88,
      align: 'center',
    },
  }
}

/** The drawing on the page: a ribbon, or a frame with a diamond where no logo stands. */
function drawing(size: CardSize, { line, mark }: Colors, look: Look): string {
  const { widthPx, heightPx, shape, unit } = size
  if (!isTitlePage(size, look)) {
    const ownUnit = shape === 'wide' ? unit : 1.2
    return filled(mark, ribbon(widthPx - Math.round(140 * ownUnit), ownUnit))
  }
  const [at, px] = titlePlaces(size)
  const [outer, inner] = at.frame
  const frame =
    outline(outer * px, widthPx, heightPx, 4 * px) + outline(inner * px, widthPx, heightPx, 1.5 * px)
  return (
    filled(line, frame) + (look.hasLogo ? '' : filled(mark, diamond(widthPx / 2, heightPx - at.mark * px)))
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
