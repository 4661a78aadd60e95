import { contrastRatio, fromOklch, mix, type Oklch, type Rgb, toHex, white } from '../../../lib/color.ts'
import { type Accent, shade } from '../accent.ts'
import type { Align, Area } from '../area.ts'
import { type BackgroundColors, backgroundColors, paleInkOn } from '../background/background-colors.ts'
import type { BrandBackground } from '../background/brand-background.ts'
import { coverPicture } from '../background/cover-picture.ts'
import { filled, wholeCard } from '../background.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import type { Canvas } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import { footerLine } from '../footer-line.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { logoInk } from '../logo/logo-ink.ts'
import { bestBackground } from '../logo/logo-paint.ts'
import { type PatternArea, type PatternColors, tilePattern } from '../pattern.ts'
import { rectangle } from '../shapes.ts'
import type { CardTexts, Scheme, TextColors, Theme } from '../theme.ts'

const black: Rgb = { r: 22, g: 18, b: 13 }
const cream: Rgb = { r: 255, g: 248, b: 236 }

const styles = {
  title: { family: 'sans', weight: 800, trackingUnits: -30 },
  subtitle: { family: 'sans', weight: 500 },
  author: { family: 'sans', weight: 700 },
  domain: { family: 'sans', weight: 500 },
} as const

/** Where everything stands, in px. */
interface Composition {
  readonly content: Area
  readonly pattern: PatternArea
  readonly layout: LayoutSpec
  /** The greatest height of a title above a subtitle. */
  readonly titlePx: number
  readonly textTop: number
  readonly textBottom: number
  readonly footerY: number
  /** How many cells a logo's tile takes: of a square logo, of a wide one, and of a line of letters. */
  readonly tiles: readonly [square: Tile, wide: Tile, line: Tile]
  /** Size of labels, as a multiple of the usual one. */
  readonly unit: number
}

/**
 * Theme: large text beside a pattern of geometric figures. Its own scheme paints the card with the accent; `light` and
 * `dark` print the accent on paper and on black.
 */
export const poster: Theme = {
  flat: true,
  styles,
  prepare({ accent, scheme, size, brandBackground, direction }) {
    const colors = colorsOf(accent, scheme, brandBackground)
    const hasPicture = brandBackground?.picture !== undefined
    const composition = size.shape === 'wide' ? wide(size, hasPicture) : upright(size, hasPicture)
    const { content, pattern } = composition
    const cover =
      brandBackground?.picture &&
      coverPicture(brandBackground.picture, areaOf(pattern), size.widthPx, direction)
    const body = cover
      ? filled(colors.background, around(pattern, size))
      : filled(colors.background, wholeCard(size)) + tilePattern(accent.key, colors, pattern)
    return {
      background: { color: toHex(colors.background), body, ...(cover && { picture: cover.picture }) },
      content,
      draw: (texts, canvas, logo) => {
        draw(texts, canvas, composition, colors)
        if (logo !== undefined) drawTile(logo, canvas, composition, colors)
      },
    }
  },
}

function areaOf({ x, y, columns, rows, sidePx }: PatternArea): Area {
  return { x, y, width: columns * sidePx, height: rows * sidePx }
}

/** The card without the pattern, whose place a picture has: the pattern reaches three of the card's edges. */
function around(pattern: PatternArea, { widthPx, heightPx }: CardSize): string {
  const { x, y, height } = areaOf(pattern)
  if (x > 0) return rectangle(0, 0, x, heightPx)
  return y > 0 ? rectangle(0, 0, widthPx, y) : rectangle(0, height, widthPx, heightPx - height)
}

const wideSizes = [186, 166, 148, 132, 118, 105, 94, 84, 76, 69, 62, 55, 48, 42]

/** The pattern fills the end of the card. */
function wide({ widthPx, heightPx, unit }: CardSize, hasPicture: boolean): Composition {
  const margin = Math.round(76 * unit)
  const sidePx = heightPx / 6
  const columns = hasPicture ? 4 : 3
  const pattern = { x: widthPx - columns * sidePx, y: 0, columns, rows: 6, sidePx }
  const top = Math.round(72 * unit)
  const footerY = heightPx - Math.round(74 * unit)
  const width = Math.floor(pattern.x - margin - 60 * unit)
  return {
    content: {
      x: margin,
      y: top - Math.round(41 * unit),
      width,
      height: heightPx - top - Math.round(3 * unit),
    },
    textTop: top,
    pattern,
    layout: {
      title: {
        sizesPx: scaledSizes(wideSizes, unit),
        maxLines: 5,
        leading: 1.04,
        maxHeightPx: heightPx - 230 * unit,
      },
      subtitle: {
        sizesPx: scaledSizes([34, 31, 28], unit),
        maxLines: 3,
        leading: 1.36,
        maxWidthPx: Math.round(640 * unit),
      },
      anchor: 0,
    },
    titlePx: heightPx - 300 * unit,
    textBottom: footerY - Math.round(44 * unit),
    footerY,
    tiles: [
      [2, 2],
      [3, 2],
      [3, 1],
    ],
    unit,
  }
}

/** The text is above a band of figures; on a tall card below it. */
function upright({ widthPx, heightPx, shape }: CardSize, hasPicture: boolean): Composition {
  const isTall = shape === 'tall'
  const [margin, unit] = [76, 1.2]
  const columns = isTall ? Math.round(widthPx / 200) : 8
  const sidePx = widthPx / columns
  const rows = isTall ? Math.round((heightPx * 0.36) / sidePx) : hasPicture ? 3 : 2
  const bandPx = rows * sidePx
  const pattern = { x: 0, y: isTall ? 0 : heightPx - bandPx, columns, rows, sidePx }
  const top = (isTall ? bandPx : 0) + 92
  const bottom = heightPx - (isTall ? 0 : bandPx) - (isTall ? margin : 56)
  const width = widthPx - 2 * margin
  const footerY = bottom - 18
  return {
    content: { x: margin, y: top - 42, width, height: bottom - top + 54 },
    textTop: top,
    pattern,
    layout: {
      title: {
        sizesPx: isTall ? sizeSteps(190, 52) : sizeSteps(176, 48),
        maxLines: isTall ? 7 : 5,
        leading: 1.03,
        maxHeightPx: bottom - top - 70,
      },
      subtitle: {
        sizesPx: isTall ? [44, 40, 36] : [40, 36, 32],
        maxLines: isTall ? 4 : 3,
        leading: 1.34,
        maxWidthPx: width * 0.94,
      },
      anchor: 0,
    },
    titlePx: (bottom - top) * (isTall ? 0.66 : 0.68),
    textBottom: footerY - 52,
    footerY,
    tiles: isTall
      ? [
          [1, 1],
          [2, 1],
          [2, 1],
        ]
      : [
          [2, 2],
          [3, 2],
          [4, 1],
        ],
    unit,
  }
}

/** Columns and rows. */
type Tile = readonly [columns: number, rows: number]

/** The logo on a tile of its own in the last corner of the pattern, on the first of its colours that suits. */
function drawTile(
  logo: CardLogo,
  canvas: Canvas,
  { pattern, tiles }: Composition,
  { pale, background, dark, ink }: Colors,
): void {
  const { left, top, right, bottom } = logoInk(logo)
  const aspect = (right - left) / (bottom - top)
  const [columns, rows] = tiles[aspect < 1.5 ? 0 : aspect < 3 ? 1 : 2]
  const [width, height] = [columns * pattern.sidePx, rows * pattern.sidePx]
  const x = pattern.x + pattern.columns * pattern.sidePx - width
  const y = pattern.y + pattern.rows * pattern.sidePx - height
  const color = bestBackground(logo, [pale, background, dark])
  const [insetX, insetY] = [width * 0.16, height * 0.2]
  canvas.logo(logo, {
    area: { x: x + insetX, y: y + insetY, width: width - 2 * insetX, height: height - 2 * insetY },
    sidePx: Math.min(width, height) * 0.54,
    align: 'center',
    backgrounds: [color],
    // A little more than its cells, so that none of their colour shows along the edges.
    tile: { area: { x: x - 1, y: y - 1, width: width + 1, height: height + 1 }, color },
    ink: contrastRatio(dark, color) > contrastRatio(ink, color) ? dark : ink,
  })
}

interface Colors extends PatternColors, TextColors {}

function draw(texts: CardTexts, canvas: Canvas, composition: Composition, colors: Colors): void {
  const { content, layout, titlePx, textTop, textBottom } = composition
  const { author, domain, footer } = texts
  const hasFoot = author !== undefined || domain !== undefined || footer !== undefined
  const isStack = author !== undefined && domain !== undefined && footer !== undefined
  const bottom = hasFoot
    ? textBottom - (isStack ? stackPx * composition.unit : 0)
    : composition.footerY - 2 * composition.unit
  const title = texts.subtitle === undefined ? layout.title : { ...layout.title, maxHeightPx: titlePx }
  const area = { ...content, y: textTop, height: bottom - textTop }
  drawLayout(texts, canvas, area, { ...layout, title }, colors)
  drawFoot(texts, canvas, composition, colors)
}

/** Distance of the author and the domain above a footer line. */
const stackPx = 40

/** The author at the start of a line and the domain at its end; a footer line has their place or stands below both. */
function drawFoot(texts: CardTexts, canvas: Canvas, composition: Composition, colors: Colors): void {
  const { content, footerY, unit } = composition
  const { author, domain, footer } = texts
  const isStack = author !== undefined && domain !== undefined && footer !== undefined
  const y = isStack ? footerY - stackPx * unit : footerY
  const labels: readonly Label[] = [
    { role: 'author', text: author, sizePx: 27, color: colors.ink },
    { role: 'domain', text: domain, sizePx: 25, color: colors.paleInk },
    { role: 'footer', text: footer, sizePx: 25, color: colors.paleInk },
  ]
  const [first, second, third] = labels.filter(({ text }) => text !== undefined)
  const place = { x: content.x, width: content.width, y, unit }
  const firstPx = first === undefined ? 0 : drawLabel(first, canvas, place, second !== undefined)
  const indentPx = firstPx + Math.round(36 * unit)
  const rest = { ...place, x: content.x + indentPx, width: content.width - indentPx }
  if (second !== undefined) drawLabel(second, canvas, rest, false, 'end')
  if (third !== undefined) drawLabel(third, canvas, { ...place, y: footerY }, false)
}

interface Label {
  readonly role: 'author' | 'domain' | 'footer'
  readonly text: string | undefined
  readonly sizePx: number
  readonly color: Rgb
}

interface LabelPlace {
  readonly x: number
  readonly width: number
  readonly y: number
  readonly unit: number
}

/** Leaves half of the line where another label follows. Returns its width. */
function drawLabel(
  { role, text = '', sizePx, color }: Label,
  canvas: Canvas,
  { x, width, y, unit }: LabelPlace,
  isFollowed: boolean,
  align: Align = 'start',
): number {
  const px = Math.round(sizePx * unit)
  const roomPx = isFollowed ? width * 0.5 : width
  const fitted =
    role === 'footer' ? footerLine(canvas, text, px, roomPx) : canvas.line(role, text, px, roomPx)
  const isTight = isFollowed || role === 'author'
  canvas.label(role, fitted, x, y, isTight ? fitted.widthPx : width, color, align)
  return fitted.widthPx
}

/** Colours from the accent, or from the brand's brandBackground. */
function colorsOf(
  accent: Accent,
  scheme: Scheme | undefined,
  brandBackground: BrandBackground | undefined,
): Colors {
  const { main } = accent
  if (brandBackground?.color !== undefined)
    return onCustomBackground(accent, backgroundColors(brandBackground.color, scheme), brandBackground.second)
  if (scheme === 'light') return onPaper(main)
  return scheme === 'dark' ? onBlack(main) : onAccent(main)
}

/** The pattern has the brand's colours and no others. */
function onCustomBackground(
  { main, second }: Accent,
  colors: BackgroundColors,
  background2: Rgb | undefined,
): Colors {
  const { background, ink, scheme } = colors
  const isLight = scheme === 'light'
  const other = background2 ?? fromOklch(second)
  return {
    ...colors,
    deep: isLight ? mix(background, other, 0.6) : mix(mix(background, other, 0.6), white, 0.12),
    dark: isLight ? ink : mix(background, { r: 0, g: 0, b: 0 }, 0.55),
    pale: isLight ? mix(background, white, 0.7) : cream,
    loud: [fromOklch(main), other],
  }
}

/** The background is lightened under black text, darkened under white, until the title is readable. */
function onAccent(main: Oklch): Colors {
  const isLight = main.l > 0.6
  const ink = isLight ? black : white
  const background = backgroundFor(main, ink, isLight ? 0.01 : -0.01)
  const deep = shade(main, isLight ? 0.5 : 0.26, 0.95)
  return {
    background,
    deep,
    dark: isLight ? black : deep,
    pale: cream,
    ink,
    paleInk: paleInkOn(background, ink),
  }
}

function onPaper(main: Oklch): Colors {
  const background = shade(main, 0.965, 0.12)
  const ink = shade(main, 0.2, 0.35)
  return {
    background,
    deep: shade(main, Math.min(0.7, Math.max(0.5, main.l))),
    dark: ink,
    pale: shade(main, 0.88, 0.45),
    ink,
    paleInk: paleInkOn(background, ink),
  }
}

function onBlack(main: Oklch): Colors {
  const background = shade(main, 0.19, 0.22)
  return {
    background,
    deep: shade(main, Math.min(0.72, Math.max(0.52, main.l))),
    dark: background,
    pale: cream,
    ink: cream,
    paleInk: paleInkOn(background, cream),
  }
}

function backgroundFor(main: Oklch, ink: Rgb, step: number): Rgb {
  let l = step > 0 ? Math.max(main.l, 0.68) : Math.min(main.l, 0.5)
  while (contrastRatio(shade(main, l), ink) < 7.15 && l > 0 && l < 1) l += step
  return shade(main, l)
}
