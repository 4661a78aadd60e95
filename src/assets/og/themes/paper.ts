import { mix, type Rgb, toHex } from '../../../lib/color.ts'
import { readable } from '../accent.ts'
import type { Align, Area } from '../area.ts'
import { paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import { filled } from '../background.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import type { Canvas } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import { footerLine } from '../footer-line.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { rectangle } from '../shapes.ts'
import type { CardTexts, Palettes, TextColors, Theme } from '../theme.ts'

interface Palette extends TextColors {
  readonly page: Rgb
  readonly line: Rgb
  /** Bounds of the accent's lightness. */
  readonly accentMin: number
  readonly accentMax: number
}

const palettes: Palettes<Palette> = {
  light: {
    page: { r: 246, g: 241, b: 230 },
    ink: { r: 29, g: 26, b: 22 },
    paleInk: { r: 92, g: 84, b: 72 },
    line: { r: 214, g: 205, b: 187 },
    accentMin: 0,
    accentMax: 0.56,
  },
  dark: {
    page: { r: 28, g: 25, b: 21 },
    ink: { r: 242, g: 234, b: 217 },
    paleInk: { r: 182, g: 171, b: 150 },
    line: { r: 69, g: 62, b: 52 },
    accentMin: 0.66,
    accentMax: 1,
  },
}

const styles = {
  title: { family: 'serif', weight: 500, trackingUnits: -14 },
  subtitle: { family: 'serif-italic', weight: 400 },
  author: { family: 'serif', weight: 500 },
  domain: { family: 'sans', weight: 500 },
} as const

/** Where everything stands, in px. */
interface Composition {
  readonly content: Area
  readonly layout: LayoutSpec
  /** Where title and subtitle may begin and end: beside domain and author, and without. */
  readonly textTop: number
  readonly textBottom: number
  readonly bareTop: number
  readonly bareBottom: number
  readonly domainY: number
  readonly authorY: number
  /** Where the footer line stands below the author; beside the domain where absent. */
  readonly footerY?: number
  /** The printer’s mark: at the foot, or in the place of the ornament. */
  readonly logo: Area
  readonly domainPx: number
  readonly align: Align
  /** Size of labels and their spacing, as a multiple of the usual one. */
  readonly unit: number
  /** Path data of what the accent paints on the page, and of the lines on it. */
  readonly ornament: string
  readonly frame?: string
  /** Rules below the domain and above the author. */
  readonly rules?: readonly [top: number, bottom: number]
}

/** Theme: a page of a book by day or by lamplight; tall cards are its title page. */
export const paper: Theme = {
  flat: true,
  styles,
  prepare(look) {
    const { accent, size, brandBackground, hasLogo } = look
    const { palette } = paletteOn(palettes, look.scheme, 'light', brandBackground, (base, colors) => ({
      ...base,
      ...colors,
      page: colors.background,
      line: brandBackground?.second ?? mix(colors.background, colors.ink, 0.18),
    }))
    const { accentMin, accentMax, page } = palette
    const lightness = Math.max(accentMin, Math.min(accentMax, accent.main.l))
    const color = readable({ ...accent.main, l: lightness }, page, 4.6)
    const leaf = brandBackground?.picture === undefined ? { ...size, y: 0 } : besidePicture(size)
    const composition = lowered(size.shape === 'tall' ? titlePage(leaf, hasLogo) : bookPage(leaf), leaf.y)
    const { content, frame, ornament } = composition
    const ink = (frame === undefined ? '' : filled(palette.line, frame)) + filled(color, ornament)
    const drawing = leaf.y === 0 ? ink : `<g transform="translate(0 ${leaf.y})">${ink}</g>`
    const plate = {
      x: leaf.y > 0 ? 0 : leaf.widthPx,
      y: 0,
      width: size.widthPx - (leaf.y > 0 ? 0 : leaf.widthPx),
      height: leaf.y || size.heightPx,
    }
    const cover =
      brandBackground?.picture && coverPicture(brandBackground.picture, plate, size.widthPx, look.direction)
    return {
      background: {
        color: toHex(page),
        body: filled(page, rectangle(0, leaf.y, leaf.widthPx, leaf.heightPx)) + drawing,
        ...(cover && { picture: cover.picture }),
      },
      content,
      draw: (texts, canvas, logo) => draw(texts, canvas, composition, { ...palette, color }, logo),
    }
  },
}

/** The page leaves a part of the card to the brand's picture: its end, or its head where the card is no wide one. */
function besidePicture(size: CardSize): CardSize & { readonly y: number } {
  if (size.shape === 'wide') return { ...size, widthPx: Math.round(size.widthPx * 0.64), y: 0 }
  const heightPx = Math.round(size.heightPx * (size.shape === 'tall' ? 0.64 : 0.62))
  return { ...size, heightPx, y: size.heightPx - heightPx }
}

/** Moves a composition down by `y`. Its background is not moved. */
function lowered(composition: Composition, y: number): Composition {
  if (y === 0) return composition
  const { content, logo, footerY, rules } = composition
  return {
    ...composition,
    content: { ...content, y: content.y + y },
    logo: { ...logo, y: logo.y + y },
    textTop: composition.textTop + y,
    textBottom: composition.textBottom + y,
    bareTop: composition.bareTop + y,
    bareBottom: composition.bareBottom + y,
    domainY: composition.domainY + y,
    authorY: composition.authorY + y,
    ...(footerY !== undefined && { footerY: footerY + y }),
    ...(rules && { rules: [rules[0] + y, rules[1] + y] as const }),
  }
}

const wideSizes = [164, 146, 130, 116, 104, 94, 86, 80, 73, 66, 59, 52, 46, 42]

/** Text between two rules, a ribbon at the head. A square page begins at its top, a wide one balances in the middle. */
function bookPage({ widthPx, heightPx, shape, unit: wideUnit }: CardSize): Composition {
  const isWide = shape === 'wide'
  const unit = isWide ? wideUnit : 1.2
  const margin = Math.round(88 * (isWide ? unit : 1))
  const width = widthPx - 2 * margin
  const [topRule, bottomRule] = [Math.round(124 * unit), heightPx - Math.round(102 * unit)]
  const textTop = topRule + Math.round(24 * unit * (isWide ? 1 : 1.6))
  const ribbonX = widthPx - Math.round(140 * unit)
  return {
    content: {
      x: margin,
      y: Math.round(64 * unit),
      width,
      height: heightPx - Math.round(64 * unit + 28 * unit),
    },
    layout: {
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
      anchor: isWide ? 0.5 : 0.42,
    },
    textTop,
    textBottom: bottomRule - Math.round(24 * unit),
    bareTop: isWide ? Math.round(84 * unit) : textTop,
    bareBottom: heightPx - Math.round(84 * unit),
    domainY: topRule - Math.round(34 * unit),
    authorY: bottomRule + Math.round(46 * unit),
    domainPx: width - Math.round(92 * unit),
    logo: {
      x: margin + width * 0.5,
      y: bottomRule + Math.round(16 * unit),
      width: width * 0.5,
      height: Math.floor(56 * unit),
    },
    align: 'start',
    unit,
    ornament: ribbon(ribbonX, unit),
    rules: [topRule, bottomRule],
  }
}

function ribbon(x: number, unit: number): string {
  const [w, h, notch] = [52, 96, 20].map((length) => Math.round(length * unit)) as [number, number, number]
  return `M${x} 0h${w}v${h}l-${w / 2}-${notch}-${w / 2} ${notch}z`
}

/** Centred in a double frame, a diamond or the printer’s mark above the author's name. */
function titlePage({ widthPx, heightPx }: CardSize, hasLogo: boolean): Composition {
  const [frameInset, margin] = [52, 120]
  const width = widthPx - 2 * margin
  const ornamentY = heightPx - 262
  const logo = { x: margin + width * 0.15, y: heightPx - 338, width: width * 0.7, height: 112 }
  const textBottom = (hasLogo ? logo.y : ornamentY) - 48
  return {
    content: { x: margin, y: 112, width, height: heightPx - 224 },
    layout: {
      title: { sizesPx: sizeSteps(168, 52), maxLines: 8, leading: 1.1, maxHeightPx: heightPx * 0.5 },
      subtitle: { sizesPx: [48, 44, 40, 36], maxLines: 5, leading: 1.32, maxWidthPx: width * 0.92 },
      anchor: 0.46,
      align: 'center',
    },
    textTop: 200,
    textBottom,
    bareTop: 150,
    bareBottom: textBottom,
    domainY: 142,
    authorY: heightPx - 172,
    footerY: heightPx - 140,
    logo,
    domainPx: width,
    align: 'center',
    unit: 1.25,
    ornament: hasLogo ? '' : diamond(widthPx / 2, ornamentY),
    frame: outline(frameInset, widthPx, heightPx, 4) + outline(frameInset + 14, widthPx, heightPx, 1.5),
  }
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

type Colors = Palette & { readonly color: Rgb }

function draw(
  texts: CardTexts,
  canvas: Canvas,
  composition: Composition,
  colors: Colors,
  logo: CardLogo | undefined,
): void {
  const { content, layout, rules, footerY } = composition
  const hasHead = texts.domain !== undefined || (texts.footer !== undefined && footerY === undefined)
  const hasFoot = texts.author !== undefined || logo !== undefined
  const top = hasHead ? composition.textTop : composition.bareTop
  const bottom = hasFoot ? composition.textBottom : composition.bareBottom
  drawLayout(texts, canvas, { ...content, y: top, height: bottom - top }, layout, colors)
  if (hasHead) {
    drawRunningHead(texts, canvas, composition, colors)
    if (rules !== undefined) drawRule(canvas, content, rules[0], colors.line)
  }
  if (hasFoot && rules !== undefined) drawRule(canvas, content, rules[1], colors.line)
  const logoPx = logo === undefined ? 0 : drawLogo(logo, canvas, composition, colors)
  if (texts.footer !== undefined && footerY !== undefined) {
    const y = texts.author === undefined ? composition.authorY : footerY
    const line = footerLine(canvas, texts.footer, 30, content.width)
    canvas.label('footer', line, content.x, y, content.width, colors.paleInk, 'center')
  }
  if (texts.author === undefined) return
  const isRaised = texts.footer !== undefined && footerY !== undefined
  const y = composition.authorY - (isRaised ? 18 : 0)
  drawAuthor(texts.author, canvas, { ...composition, authorY: y }, colors, logoPx)
}

/** The domain, and on a page of a book the footer line behind it. */
function drawRunningHead(texts: CardTexts, canvas: Canvas, composition: Composition, colors: Colors): void {
  const { content, domainPx, domainY, footerY, align, unit } = composition
  const footer = footerY === undefined ? texts.footer : undefined
  const sizePx = Math.round(25 * unit)
  let indentPx = 0
  if (texts.domain !== undefined) {
    const roomPx = footer === undefined ? domainPx : domainPx * 0.5
    const domain = canvas.line('domain', texts.domain, sizePx, roomPx)
    const width = footer === undefined ? domainPx : domain.widthPx
    canvas.label('domain', domain, content.x, domainY, width, colors.color, align)
    indentPx = domain.widthPx + Math.round(36 * unit)
  }
  if (footer === undefined) return
  const roomPx = domainPx - indentPx
  const line = footerLine(canvas, footer, sizePx, roomPx)
  const place = indentPx === 0 ? 'start' : 'end'
  canvas.label('footer', line, content.x + indentPx, domainY, roomPx, colors.paleInk, place)
}

/** Returns the width that the logo takes from the author's line. */
function drawLogo(logo: CardLogo, canvas: Canvas, composition: Composition, colors: Colors): number {
  const { logo: area, align } = composition
  const isCentred = align === 'center'
  const drawn = canvas.logo(logo, {
    area,
    sidePx: area.height * 0.88,
    align: isCentred ? 'center' : 'end',
    backgrounds: [colors.page],
    ink: colors.ink,
  })
  return isCentred ? 0 : drawn.width + Math.round(40 * composition.unit)
}

/** Behind a dash, or centred. */
function drawAuthor(
  name: string,
  canvas: Canvas,
  { content, authorY, unit, align }: Composition,
  { color, ink }: Colors,
  logoPx: number,
): void {
  const dashPx = align === 'center' ? 0 : Math.round(52 * unit)
  const roomPx = content.width - dashPx - logoPx
  const author = canvas.line('author', name, Math.round(30 * unit), roomPx)
  if (dashPx > 0) {
    const width = Math.round(34 * unit)
    canvas.shape(rectangle(0, 0, width, 3), content.x, authorY - 1.5, width, color)
  }
  canvas.label('author', author, content.x + dashPx, authorY, roomPx, ink, align)
}

function drawRule(canvas: Canvas, { x, width }: Area, y: number, color: Rgb): void {
  canvas.shape(rectangle(0, 0, width, 2), x, y, width, color)
}
