import { fromOklch, mix, type Oklch, type Rgb, toHex, toOklch, white } from '../../../lib/color.ts'
import { idPrefix } from '../../../raster/scene.ts'
import { type Accent, accentOf, readable, shade } from '../accent.ts'
import type { Area } from '../area.ts'
import { type BackgroundColors, paletteOn } from '../background/background-colors.ts'
import { hasPicture, type PictureRoom, pictureTheme } from '../background/picture-theme.ts'
import type { ScrimZone } from '../background/picture-under-scrim.ts'
import { filled, wholeCard } from '../background.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import { drawByline } from '../byline.ts'
import type { Canvas } from '../canvas.ts'
import { type CardSize, cardSizes } from '../card-sizes.ts'
import { footerLine } from '../footer-line.ts'
import { type Glow, glowGradient, litColors, paintGlows, readableGlows, stretched } from '../glow.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { circle, rectangle, roundedRectangle } from '../shapes.ts'
import type { CardTexts, Look, Palettes, TextColors, Theme } from '../theme.ts'

interface Palette extends TextColors {
  readonly background: Rgb
  readonly chip: Rgb
  readonly border: Rgb
  /** Lightness of the glows. */
  readonly lights: readonly [main: number, second: number]
  /** Lightness of the lines, and their opacity. */
  readonly lineLightness: number
  readonly linePeak: number
}

const palettes: Palettes<Palette> = {
  light: {
    background: { r: 251, g: 251, b: 253 },
    ink: { r: 12, g: 14, b: 20 },
    paleInk: { r: 70, g: 76, b: 90 },
    chip: white,
    border: { r: 222, g: 225, b: 232 },
    lights: [0.74, 0.76],
    lineLightness: 0.35,
    linePeak: 0.19,
  },
  dark: {
    background: { r: 13, g: 15, b: 20 },
    ink: { r: 246, g: 247, b: 250 },
    paleInk: { r: 172, g: 179, b: 194 },
    chip: { r: 22, g: 25, b: 33 },
    border: { r: 55, g: 60, b: 73 },
    lights: [0.48, 0.42],
    lineLightness: 0.88,
    linePeak: 0.15,
  },
}

const linesId = `${idPrefix}2`
const barId = `${idPrefix}b`
const dot = circle(7, 7, 7)

const styles = {
  title: { family: 'sans', weight: 800, trackingUnits: -28 },
  subtitle: { family: 'sans', weight: 400 },
  author: { family: 'sans', weight: 600 },
  domain: { family: 'sans', weight: 500 },
} as const

/** Where everything stands, in px. */
interface Composition {
  readonly content: Area
  readonly layout: LayoutSpec
  readonly chipTop: number
  /** Between the chip and the title. */
  readonly chipGapPx: number
  /** Where the title may begin without a domain, and end without an author. */
  readonly bareTop: number
  readonly bareBottom: number
  readonly textBottom: number
  readonly footerY: number
  /** Narrower and lower bounds of title and subtitle beside a picture. */
  readonly textWidth?: number
  readonly textTop?: number
  /** The corner at the end, in the light. */
  readonly logo: Area
  /** Size of labels and their spacing, as a multiple of the usual one. */
  readonly unit: number
}

/** Theme: faint grid lines that a light falls on, below the sky or in the dark. */
export const grid: Theme = {
  flat: false,
  styles,
  patterns: 1,
  prepare(look) {
    const { accent, size, brandBackground } = look
    const { palette, scheme } = paletteOn(
      palettes,
      look.scheme,
      'light',
      brandBackground,
      onCustomBackground,
      customBackgroundContrastMin,
    )
    const composition = size.shape === 'wide' ? wide(size) : upright(size)
    const { content, logo } = composition
    const lightness = Math.max(0.48, Math.min(0.62, accent.main.l))
    const discColor = readable({ ...accent.main, l: lightness }, white, 4.6)
    const { linePeak } = palette
    const second = brandBackground?.second === undefined ? accent.second : toOklch(brandBackground.second)
    const bar = `<linearGradient id="${barId}"><stop stop-color="${css(second)}"/><stop offset="1" stop-color="${css(accent.main)}"/></linearGradient>`
    const barPx = Math.round(8 * composition.unit)
    const barShape = filled(`url(#${barId})`, rectangle(0, size.heightPx - barPx, size.widthPx, barPx))
    if (hasPicture(brandBackground)) {
      const colors = { ...palette, discColor }
      const prepared = pictureTheme(
        brandBackground,
        look,
        scheme,
        colors,
        pictureRoom(look, composition),
        draw,
      )
      const { defs = '', body } = prepared.background
      return { ...prepared, background: { ...prepared.background, defs: defs + bar, body: body + barShape } }
    }
    const lights = brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
    const glows = readableGlows(
      (power) => glowsOf(lights, palette, size, power),
      palette.background,
      content,
      [
        { color: palette.paleInk, ratio: 4.6 },
        {
          color: palette.ink,
          ratio: brandBackground?.color === undefined ? 7.1 : customBackgroundContrastMin - 0.1,
        },
      ],
    )
    const { defs, body } = paintGlows(glows, size)
    const lit = litColors(palette.background, glows, logo)
    const lineColor = shade(accent.main, palette.lineLightness, 0.6)
    const logoBackgrounds = [...lit, ...lit.map((color) => mix(color, lineColor, linePeak / 2))]
    const colors = { ...palette, discColor, logoBackgrounds }
    const fade = glowGradient(lineFade(accent, palette, size), linesId)
    return {
      background: {
        color: toHex(palette.background),
        defs: defs + fade + bar,
        body: `${filled(palette.background, wholeCard(size))}${body}<path stroke="url(#${linesId})" stroke-opacity="${linePeak}" d="${lines(size)}"/>${barShape}`,
      },
      content,
      draw: (texts, canvas, mark) => draw(texts, canvas, composition, colors, mark),
    }
  },
}

/** The chip is lighter than a light brandBackground and darker than a dark one, so its text is no worse to read. */
function onCustomBackground(base: Palette, { background, ink, paleInk, scheme }: BackgroundColors): Palette {
  const chip = scheme === 'light' ? mix(background, white, 0.55) : mix(background, black, 0.3)
  return { ...base, background, ink, paleInk, chip, border: mix(background, ink, 0.18) }
}

/** Minimum contrast of the title on a custom background, higher because grid lines run behind it. */
const customBackgroundContrastMin = 8.4

const black: Rgb = { r: 0, g: 0, b: 0 }

/** Text on a picture keeps to the start of a wide card, to the foot of a square one and to the head of a tall one. */
function pictureRoom(look: Look, usual: Composition): PictureRoom<Composition> {
  const { size } = look
  return {
    underScrim() {
      const composition = besidePicture(usual, size, 0.36)
      return { composition, zones: zonesOf(composition, look) }
    },
    besideText() {
      const composition = narrowed(besidePicture(usual, size, 0.46), size)
      const frame = tileOf(composition, look)
      const opening = `M${frame.x} ${frame.y}v${frame.height}h${frame.width}v${-frame.height}z`
      return { composition, frame, opening }
    },
  }
}

/** On a wide card with a tile at its end everything stands beside it. */
function narrowed(beside: Composition, { shape }: CardSize): Composition {
  if (shape !== 'wide') return beside
  const { content, logo, textWidth = 0, ...composition } = beside
  return {
    ...composition,
    content: { ...content, width: textWidth },
    logo: { ...logo, x: content.x + textWidth * 0.55, width: textWidth * 0.45 },
  }
}

/** The area that the texts of a composition leave free: at the end, below the head, or above the foot. */
function tileOf(composition: Composition, { size, hasLogo, hasDomain, hasByline }: Look): Area {
  const { widthPx, heightPx, shape } = size
  const { content, logo, textTop = 0, textBottom, footerY, unit } = composition
  const gapPx = Math.round(32 * unit)
  if (shape === 'wide') {
    const x = content.x + content.width + gapPx
    return { x, y: 0, width: widthPx - x, height: heightPx }
  }
  if (shape === 'square') {
    const y = hasLogo || hasDomain ? Math.round(logo.y + logo.height + gapPx) : 0
    return { x: 0, y, width: widthPx, height: Math.round(textTop - gapPx) - y }
  }
  const y = Math.round(textBottom + gapPx)
  const bottom = hasByline ? footerY - Math.round(34 * unit) - gapPx : heightPx
  return { x: 0, y, width: widthPx, height: bottom - y }
}

/** `headShare` is how much of a square card's height stays free above the text. */
function besidePicture(
  composition: Composition,
  { heightPx, shape }: CardSize,
  headShare: number,
): Composition {
  const { content } = composition
  if (shape === 'wide') return { ...composition, textWidth: Math.round(content.width * 0.6) }
  if (shape === 'square') return { ...composition, textTop: Math.round(heightPx * headShare) }
  return { ...composition, textBottom: Math.round(heightPx * 0.6), bareBottom: Math.round(heightPx * 0.6) }
}

function zonesOf(composition: Composition, { size, hasByline }: Look): readonly ScrimZone[] {
  const { widthPx, heightPx, shape } = size
  const { content, textTop = 0, textWidth = 0, textBottom, footerY, unit } = composition
  const bottom = content.y + content.height
  const footTop = footerY - 40 * unit
  const textArea = { ...content, y: footTop, height: bottom - footTop }
  const foot: readonly ScrimZone[] = hasByline ? [{ textArea, fadesTo: 'top', fadePx: heightPx * 0.16 }] : []
  switch (shape) {
    case 'wide':
      return [{ textArea: { ...content, width: textWidth }, fadesTo: 'end', fadePx: widthPx * 0.36 }, ...foot]
    case 'square':
      return [
        {
          textArea: { ...content, y: textTop, height: bottom - textTop },
          fadesTo: 'top',
          fadePx: heightPx * 0.22,
        },
      ]
    case 'tall':
      return [
        {
          textArea: { ...content, height: textBottom - content.y },
          fadesTo: 'bottom',
          fadePx: heightPx * 0.2,
        },
        ...foot,
      ]
  }
}

const wideSizes = [150, 134, 120, 107, 96, 87, 81, 75, 68, 61, 54, 48, 42]

/** The domain on a chip, the text below it, the author at the foot. */
function wide({ widthPx, heightPx, unit }: CardSize): Composition {
  const margin = Math.round(84 * unit)
  const width = widthPx - 2 * margin
  const chipTop = Math.round(70 * unit)
  return {
    content: { x: margin, y: chipTop, width, height: heightPx - chipTop - Math.round(50 * unit) },
    layout: {
      title: {
        sizesPx: scaledSizes(wideSizes, unit),
        maxLines: 4,
        leading: 1.06,
        maxHeightPx: heightPx - 368 * unit,
      },
      subtitle: {
        sizesPx: scaledSizes([36, 32, 28], unit),
        maxLines: 2,
        leading: 1.38,
        maxWidthPx: Math.round(920 * unit),
      },
    },
    chipTop,
    chipGapPx: Math.round(28 * unit),
    bareTop: Math.round(80 * unit),
    bareBottom: heightPx - Math.round(84 * unit),
    textBottom: heightPx - Math.round(140 * unit),
    footerY: heightPx - Math.round(82 * unit),
    logo: { x: margin + width * 0.55, y: chipTop, width: width * 0.45, height: 62 * unit },
    unit,
  }
}

/** A square card has its text at the foot; a tall one at the head, and its light rises from below. */
function upright({ widthPx, heightPx, shape }: CardSize): Composition {
  const isTall = shape === 'tall'
  const [margin, unit] = [isTall ? 88 : 84, 1.25]
  const width = widthPx - 2 * margin
  return {
    content: { x: margin, y: margin - 12, width, height: heightPx - 2 * margin + 24 },
    layout: {
      title: {
        sizesPx: isTall ? sizeSteps(190, 54) : sizeSteps(164, 48),
        maxLines: isTall ? 8 : 6,
        leading: 1.05,
        maxHeightPx: heightPx * (isTall ? 0.56 : 0.5),
      },
      subtitle: {
        sizesPx: isTall ? [46, 42, 38, 34] : [42, 38, 34],
        maxLines: isTall ? 5 : 4,
        leading: 1.38,
        maxWidthPx: width,
      },
      anchor: isTall ? 0 : 1,
    },
    chipTop: margin,
    chipGapPx: 64,
    bareTop: margin + (isTall ? 34 : 0),
    bareBottom: heightPx - margin,
    textBottom: heightPx - margin - 108,
    footerY: heightPx - margin - 30,
    logo: { x: margin + width * 0.5, y: margin - 12, width: width * 0.5, height: 92 },
    unit,
  }
}

type Colors = Palette & {
  readonly discColor: Rgb
  readonly logoBackgrounds: readonly Rgb[]
}

const chipHeight = 54

function draw(
  texts: CardTexts,
  canvas: Canvas,
  composition: Composition,
  colors: Colors,
  logo: CardLogo | undefined,
): void {
  const { content, layout, chipTop, footerY, unit } = composition
  const chipPx = Math.round(chipHeight * unit)
  const hasHead = texts.domain !== undefined || logo !== undefined
  const hasFoot = texts.author !== undefined || texts.footer !== undefined
  const ownTop = hasHead ? chipTop + chipPx + composition.chipGapPx : composition.bareTop
  const top = Math.max(ownTop, composition.textTop ?? 0)
  const bottom = hasFoot ? composition.textBottom : composition.bareBottom
  const width = composition.textWidth ?? content.width
  drawLayout(texts, canvas, { ...content, width, y: top, height: bottom - top }, layout, colors)
  const logoPx = logo === undefined ? 0 : drawLogo(logo, canvas, composition, colors)
  if (texts.domain !== undefined) drawChip(texts.domain, canvas, composition, colors, logoPx)
  const footerPx = texts.footer === undefined ? 0 : drawFooter(texts, canvas, composition, colors)
  drawByline(texts, canvas, {
    x: content.x,
    centreY: footerY,
    maxWidthPx: content.width - footerPx,
    color: colors.ink,
    discColor: colors.discColor,
    unit,
  })
}

/** Returns the width that the logo takes from the chip's line. */
function drawLogo(
  logo: CardLogo,
  canvas: Canvas,
  { logo: area, unit }: Composition,
  { logoBackgrounds: backgrounds, ink }: Colors,
): number {
  const sidePx = area.height * 0.88
  const drawn = canvas.logo(logo, { area, sidePx, align: 'end', backgrounds, ink })
  return drawn.width + Math.round(40 * unit)
}

/** The footer line, at the end where an author stands at the start. Returns the width that it takes from the author. */
function drawFooter(
  { author, footer = '' }: CardTexts,
  canvas: Canvas,
  { content: { x, width }, footerY, unit }: Composition,
  { paleInk }: Colors,
): number {
  const hasAuthor = author !== undefined
  const fitted = footerLine(canvas, footer, Math.round(24 * unit), hasAuthor ? width * 0.52 : width)
  const left = hasAuthor ? x + width - fitted.widthPx : x
  canvas.label('footer', fitted, left, footerY, fitted.widthPx, paleInk)
  return hasAuthor ? fitted.widthPx + Math.round(40 * unit) : 0
}

function drawChip(
  domain: string,
  canvas: Canvas,
  { content: { x, width }, chipTop, unit }: Composition,
  colors: Colors,
  logoPx: number,
): void {
  const [heightPx, paddingPx] = [Math.round(chipHeight * unit), 82 * unit]
  const fitted = canvas.line('domain', domain, Math.round(25 * unit), width - logoPx - paddingPx)
  const chipPx = fitted.widthPx + paddingPx
  const centreY = chipTop + heightPx / 2
  canvas.shape(roundedRectangle(0, 0, chipPx, heightPx, heightPx / 2), x, chipTop, chipPx, colors.border)
  const [facePx, faceHeightPx] = [chipPx - 3, heightPx - 3]
  const face = roundedRectangle(0, 0, facePx, faceHeightPx, faceHeightPx / 2)
  canvas.shape(face, x + 1.5, chipTop + 1.5, facePx, colors.chip)
  canvas.shape(dot, x + 26 * unit, centreY - 7 * unit, 14 * unit, colors.discColor, undefined, unit)
  canvas.label('domain', fitted, x + 52 * unit, centreY, fitted.widthPx, colors.paleInk)
}

/** The lines stand off the edges, so that no cell is cut to a sliver. */
function lines({ widthPx, heightPx, shape, unit }: CardSize): string {
  const cellPx = Math.round((shape === 'wide' ? 40 : 54) * unit)
  const [columns, rows] = [Math.ceil(widthPx / cellPx), Math.ceil(heightPx / cellPx)]
  return [
    ...Array.from({ length: columns }, (_, index) => `M${index * cellPx + 4.5} 0v${heightPx}`),
    ...Array.from({ length: rows }, (_, index) => `M0 ${index * cellPx + 14.5}h${widthPx}`),
  ].join('')
}

/** Placed on the usual card of each shape. */
function glowsOf({ main, second }: Accent, palette: Palette, size: CardSize, power: number): readonly Glow[] {
  const [l1, l2] = palette.lights
  const glows = {
    wide: [
      { cx: 1200, cy: 60, rx: 640, ry: 460, angle: 24, color: shade(main, l1), peak: 0.58 * power },
      { cx: 780, cy: -140, rx: 560, ry: 320, angle: 8, color: shade(second, l2), peak: 0.46 * power },
    ],
    square: [
      { cx: 1080, cy: 90, rx: 820, ry: 620, angle: 24, color: shade(main, l1), peak: 0.62 * power },
      { cx: 380, cy: -160, rx: 640, ry: 480, angle: 8, color: shade(second, l2), peak: 0.5 * power },
    ],
    tall: [
      { cx: 1080, cy: 1180, rx: 860, ry: 620, angle: -28, color: shade(main, l1), peak: 0.62 * power },
      { cx: 240, cy: 1420, rx: 700, ry: 460, angle: -8, color: shade(second, l2), peak: 0.5 * power },
    ],
  }
  return glows[size.shape].map((glow) => stretched(glow, usual[size.shape], size))
}

const usual = { wide: cardSizes.og, square: cardSizes.square, tall: cardSizes.portrait }

/** The gradient that the grid lines are painted with: strongest in the light, nothing where the text begins. */
function lineFade({ main }: Accent, { lineLightness, linePeak }: Palette, size: CardSize): Glow {
  const color = shade(main, lineLightness, 0.6)
  const fades = {
    wide: { cx: 1110, cy: 40, rx: 1000, ry: 620, angle: 14 },
    square: { cx: 1000, cy: 60, rx: 1080, ry: 820, angle: 14 },
    tall: { cx: 1000, cy: 1230, rx: 1100, ry: 900, angle: -14 },
  }
  return stretched({ ...fades[size.shape], color, peak: linePeak }, usual[size.shape], size)
}

function css(color: Oklch): string {
  return toHex(fromOklch({ ...color, l: Math.min(0.7, color.l) }))
}
