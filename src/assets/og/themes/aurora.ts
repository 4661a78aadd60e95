import { fromOklch, type Rgb, white } from '../../../lib/color.ts'
import { type Accent, readable, shade } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import { drawByline } from '../byline.ts'
import type { Area, Canvas } from '../canvas.ts'
import { type CardSize, cardSizes } from '../card-sizes.ts'
import { type Glow, paintGlows, readableGlows, stretched } from '../glow.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { ellipse, rectangle, ring } from '../shapes.ts'
import type { CardWords, Palettes, Scheme, TextColors, Theme } from '../theme.ts'

interface Palette extends TextColors {
  readonly background: Rgb
  /** How visible the rule is, 0 to 1. */
  readonly ruleOpacity: number
  /** Lightness of the glows, and how strong they are at most. */
  readonly lights: readonly [main: number, second: number, third: number]
  readonly power: number
}

const palettes: Palettes<Palette> = {
  dark: {
    background: fromOklch({ l: 0.145, c: 0.012, h: 268 }),
    ink: white,
    paleInk: { r: 186, g: 194, b: 209 },
    ruleOpacity: 0.16,
    lights: [0.6, 0.54, 0.5],
    power: 1,
  },
  light: {
    background: { r: 252, g: 251, b: 249 },
    ink: fromOklch({ l: 0.2, c: 0.03, h: 268 }),
    paleInk: fromOklch({ l: 0.42, c: 0.03, h: 268 }),
    ruleOpacity: 0.14,
    lights: [0.8, 0.83, 0.87],
    power: 1,
  },
}

const styles = {
  title: { family: 'sans', weight: 700, trackingUnits: -24 },
  subtitle: { family: 'sans', weight: 400 },
  author: { family: 'sans', weight: 600 },
  domain: { family: 'sans', weight: 400 },
} as const

/** Where everything stands, in px. */
interface Composition {
  readonly content: Area
  readonly layout: LayoutSpec
  /** Where title and subtitle end above the author, and where they end without. */
  readonly textBottom: number
  readonly ruleY: number
  readonly footerY: number
  /** The middle of the domain where it stands above the title. */
  readonly headY?: number
  /** Of labels and what belongs to them. */
  readonly unit: number
}

/** Theme: coloured lights in the corners of the sky, at night or in the morning. */
export const aurora: Theme = {
  flat: false,
  styles,
  prepare({ accent, scheme = 'dark', size }) {
    const palette = palettes[scheme]
    const composition = size.shape === 'wide' ? wide(size) : upright(size)
    const glows = readableGlows(
      (power) => glowsOf(accent, scheme, size, power * palette.power),
      palette.background,
      composition.content,
      [
        { color: palette.paleInk, ratio: 4.6 },
        { color: palette.ink, ratio: 7.1 },
      ],
    )
    const { defs, body } = paintGlows(glows, size)
    const lightness = Math.max(0.45, Math.min(0.6, accent.main.l))
    const discColor = readable({ ...accent.main, l: lightness }, white, 4.6)
    return {
      background: { defs, body: filled(palette.background, wholeCard(size)) + body },
      content: composition.content,
      draw: (words, canvas) => draw(words, canvas, composition, { ...palette, discColor }),
    }
  },
}

const wideSizes = [152, 136, 122, 109, 98, 88, 82, 76, 69, 62, 55, 48, 42]

/** One block in the middle, author and domain side by side below a rule. */
function wide({ widthPx, heightPx, unit }: CardSize): Composition {
  const [margin, top] = [Math.round(84 * unit), Math.round(76 * unit)]
  const width = widthPx - 2 * margin
  return {
    content: { x: margin, y: top, width, height: heightPx - top - Math.round(38 * unit) },
    layout: {
      title: {
        sizesPx: scaledSizes(wideSizes, unit),
        maxLines: 4,
        leading: 1.08,
        maxHeightPx: heightPx - 354 * unit,
      },
      subtitle: {
        sizesPx: scaledSizes([36, 32, 28], unit),
        maxLines: 2,
        leading: 1.38,
        maxWidthPx: Math.round(920 * unit),
      },
    },
    textBottom: heightPx - Math.round(158 * unit),
    ruleY: heightPx - Math.round(124 * unit),
    footerY: heightPx - Math.round(72 * unit),
    unit,
  }
}

/** The domain at the head, the sky below it, and the words at the foot. */
function upright({ widthPx, heightPx, shape }: CardSize): Composition {
  const isTall = shape === 'tall'
  const [margin, unit] = [isTall ? 88 : 84, 1.25]
  const width = widthPx - 2 * margin
  return {
    content: { x: margin, y: margin - 12, width, height: heightPx - 2 * margin + 24 },
    layout: {
      title: {
        sizesPx: isTall ? sizeSteps(184, 54) : sizeSteps(164, 48),
        maxLines: isTall ? 8 : 6,
        leading: 1.07,
        maxHeightPx: heightPx * (isTall ? 0.56 : 0.52),
      },
      subtitle: {
        sizesPx: isTall ? [46, 42, 38, 34] : [42, 38, 34],
        maxLines: isTall ? 5 : 4,
        leading: 1.38,
        maxWidthPx: width,
      },
      anchor: 1,
    },
    textBottom: heightPx - margin - 142,
    ruleY: heightPx - margin - 92,
    footerY: heightPx - margin - 30,
    headY: margin + 16,
    unit,
  }
}

type Colors = Palette & { readonly discColor: Rgb }

function draw(words: CardWords, canvas: Canvas, composition: Composition, colors: Colors): void {
  const { content, layout, ruleY, footerY, headY, unit } = composition
  const { x, width } = content
  const hasFooter = words.author !== undefined || (headY === undefined && words.domain !== undefined)
  const top = headY === undefined || words.domain === undefined ? content.y : headY + 60
  const bottom = hasFooter
    ? composition.textBottom
    : headY === undefined
      ? content.y + content.height - 38 * unit
      : content.y + content.height - 12
  drawLayout(words, canvas, { ...content, y: top, height: bottom - top }, layout, colors)
  if (hasFooter) canvas.shape(rectangle(0, 0, width, 1.5), x, ruleY, width, colors.ink, colors.ruleOpacity)
  const isBeside = headY === undefined && words.author !== undefined
  const domainPx =
    words.domain === undefined ? 0 : drawDomain(words.domain, canvas, composition, colors, isBeside)
  drawByline(words, canvas, {
    x,
    centreY: footerY,
    maxWidthPx: width - (isBeside ? domainPx : 0),
    color: colors.ink,
    discColor: colors.discColor,
    unit,
  })
}

const globe =
  ring(12, 12, 10.5, 1.8) +
  ellipse(12, 12, 5.3, 11) +
  ellipse(12, 12, 3.5, 9.9, true) +
  rectangle(1.5, 11.1, 21, 1.8)

/** The domain with a globe, at the start of its line or at the end. Returns its width with a gap. */
function drawDomain(
  domain: string,
  canvas: Canvas,
  { content: { x, width }, footerY, headY = footerY, unit }: Composition,
  { paleInk }: Colors,
  atEnd: boolean,
): number {
  const iconPx = 36 * unit
  const fitted = canvas.line('domain', domain, Math.round(26 * unit), (atEnd ? 560 * unit : width) - iconPx)
  const left = atEnd ? x + width - fitted.widthPx : x + iconPx
  canvas.shape(globe, left - iconPx, headY - 12 * unit, 24 * unit, paleInk, undefined, unit)
  canvas.label('domain', fitted, left, headY, fitted.widthPx, paleInk)
  return fitted.widthPx + iconPx + 40 * unit
}

/** Placed on the usual card of each shape. */
function glowsOf(accent: Accent, scheme: Scheme, size: CardSize, power: number): readonly Glow[] {
  const { main, second, third } = accent
  const [l1, l2, l3] = palettes[scheme].lights
  const lights = { main: shade(main, l1), second: shade(second, l2), third: shade(third, l3) }
  const from = size.shape === 'wide' ? cardSizes.og : cardSizes.square
  const glows: readonly Glow[] =
    size.shape === 'wide'
      ? [
          { cx: -30, cy: 700, rx: 640, ry: 250, angle: -14, color: lights.third, peak: 0.5 * power },
          { cx: 1270, cy: 580, rx: 760, ry: 330, angle: -38, color: lights.second, peak: 0.8 * power },
          { cx: 1020, cy: -90, rx: 860, ry: 400, angle: 26, color: lights.main, peak: 0.92 * power },
        ]
      : [
          { cx: 1120, cy: 1090, rx: 560, ry: 300, angle: -24, color: lights.third, peak: 0.5 * power },
          { cx: -80, cy: 210, rx: 620, ry: 420, angle: -32, color: lights.second, peak: 0.8 * power },
          { cx: 840, cy: -70, rx: 900, ry: 560, angle: 18, color: lights.main, peak: 0.92 * power },
        ]
  return glows.map((glow) => stretched(glow, from, size))
}
