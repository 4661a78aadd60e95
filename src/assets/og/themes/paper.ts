import type { Rgb } from '../../../lib/color.ts'
import { readable } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import type { Align, Area, Canvas } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { rectangle } from '../shapes.ts'
import type { CardWords, Palettes, TextColors, Theme } from '../theme.ts'

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
  readonly domainPx: number
  readonly align: Align
  /** Of labels and what belongs to them. */
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
  prepare({ accent, scheme = 'light', size }) {
    const palette = palettes[scheme]
    const { accentMin, accentMax, page } = palette
    const lightness = Math.max(accentMin, Math.min(accentMax, accent.main.l))
    const color = readable({ ...accent.main, l: lightness }, page, 4.6)
    const composition = size.shape === 'tall' ? titlePage(size) : bookPage(size)
    const { content, frame, ornament } = composition
    const lines = frame === undefined ? '' : filled(palette.line, frame)
    return {
      background: { body: filled(page, wholeCard(size)) + lines + filled(color, ornament) },
      content,
      draw: (words, canvas) => draw(words, canvas, composition, { ...palette, color }),
    }
  },
}

const wideSizes = [164, 146, 130, 116, 104, 94, 86, 80, 73, 66, 59, 52, 46, 42]

/** Words between two rules, a ribbon at the head. A square page begins at its top, a wide one balances in the middle. */
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

/** Centred in a double frame, a diamond above the author's name. */
function titlePage({ widthPx, heightPx }: CardSize): Composition {
  const [frameInset, margin] = [52, 120]
  const width = widthPx - 2 * margin
  const ornamentY = heightPx - 262
  return {
    content: { x: margin, y: 112, width, height: heightPx - 224 },
    layout: {
      title: { sizesPx: sizeSteps(168, 52), maxLines: 8, leading: 1.1, maxHeightPx: heightPx * 0.5 },
      subtitle: { sizesPx: [48, 44, 40, 36], maxLines: 5, leading: 1.32, maxWidthPx: width * 0.92 },
      anchor: 0.46,
      align: 'center',
    },
    textTop: 200,
    textBottom: ornamentY - 48,
    bareTop: 150,
    bareBottom: ornamentY - 48,
    domainY: 142,
    authorY: heightPx - 172,
    domainPx: width,
    align: 'center',
    unit: 1.25,
    ornament: diamond(widthPx / 2, ornamentY),
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

function draw(words: CardWords, canvas: Canvas, composition: Composition, colors: Colors): void {
  const { content, layout, unit, align, rules, domainPx } = composition
  const top = words.domain === undefined ? composition.bareTop : composition.textTop
  const bottom = words.author === undefined ? composition.bareBottom : composition.textBottom
  drawLayout(words, canvas, { ...content, y: top, height: bottom - top }, layout, colors)
  if (words.domain !== undefined) {
    const domain = canvas.line('domain', words.domain, Math.round(25 * unit), domainPx)
    canvas.label('domain', domain, content.x, composition.domainY, domainPx, colors.color, align)
    if (rules !== undefined) drawRule(canvas, content, rules[0], colors.line)
  }
  if (words.author === undefined) return
  if (rules !== undefined) drawRule(canvas, content, rules[1], colors.line)
  drawAuthor(words.author, canvas, composition, colors)
}

/** Behind a dash, or centred. */
function drawAuthor(name: string, canvas: Canvas, composition: Composition, { color, ink }: Colors): void {
  const { content, authorY, unit, align } = composition
  const dashPx = align === 'center' ? 0 : Math.round(52 * unit)
  const author = canvas.line('author', name, Math.round(30 * unit), content.width - dashPx)
  if (dashPx > 0) {
    const width = Math.round(34 * unit)
    canvas.shape(rectangle(0, 0, width, 3), content.x, authorY - 1.5, width, color)
  }
  canvas.label('author', author, content.x + dashPx, authorY, content.width - dashPx, ink, align)
}

function drawRule(canvas: Canvas, { x, width }: Area, y: number, color: Rgb): void {
  canvas.shape(rectangle(0, 0, width, 2), x, y, width, color)
}
