import { mix, type Rgb, toHex } from '../../../lib/color.ts'
import { shortNumber } from '../../../svg/svg-number.ts'
import { type Accent, accentOf, readable, shade } from '../accent.ts'
import type { Area } from '../area.ts'
import { type BackgroundColors, paleInkOn, paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import { greysThrough, inksOnPicture, needsOf, scrimOpacity } from '../background/scrim.ts'
import { filled, wholeCard } from '../background.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import type { Canvas } from '../canvas.ts'
import { type CardSize, cardSizes } from '../card-sizes.ts'
import { footerLine } from '../footer-line.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { circle, rectangle, roundedRectangle } from '../shapes.ts'
import type { CardTexts, Palettes, TextColors, Theme } from '../theme.ts'

interface Palette extends TextColors {
  readonly screen: Rgb
  readonly frame: Rgb
  /** Colour of the domain in the frame. */
  readonly label: Rgb
  /** Bounds of the lightness of the prompt. */
  readonly promptMin: number
  readonly promptMax: number
  /** Bounds of the lightness of the farthest hills, and how much darker each row is. */
  readonly farMin: number
  readonly farMax: number
  readonly fall: readonly [number, number, number]
  /** Chroma of the hills, as a share of the accent's. */
  readonly chroma: number
  readonly shadowOpacity: string
}

const palettes: Palettes<Palette> = {
  dark: {
    screen: { r: 14, g: 17, b: 22 },
    frame: { r: 27, g: 32, b: 40 },
    ink: { r: 240, g: 243, b: 246 },
    paleInk: { r: 154, g: 164, b: 175 },
    label: { r: 154, g: 164, b: 175 },
    promptMin: 0.74,
    promptMax: 1,
    farMin: 0.58,
    farMax: 0.76,
    fall: [0.07, 0.13, 0.2],
    chroma: 1,
    shadowOpacity: '.16',
  },
  light: {
    screen: { r: 253, g: 253, b: 251 },
    frame: { r: 233, g: 234, b: 232 },
    ink: { r: 23, g: 26, b: 32 },
    paleInk: { r: 86, g: 93, b: 103 },
    label: { r: 84, g: 90, b: 99 },
    promptMin: 0,
    promptMax: 0.5,
    farMin: 0.9,
    farMax: 0.9,
    fall: [0.04, 0.08, 0.12],
    chroma: 0.75,
    shadowOpacity: '.09',
  },
}

const styles = {
  title: { family: 'mono', weight: 700, trackingUnits: -10 },
  subtitle: { family: 'mono', weight: 400 },
  author: { family: 'mono', weight: 500 },
  domain: { family: 'mono', weight: 400 },
} as const

/** Where everything stands, in px. */
interface Composition {
  readonly window: Area
  readonly barPx: number
  readonly content: Area
  readonly text: Area
  readonly layout: LayoutSpec
  /** The middle of the prompt: fixed, or so far below the text. */
  readonly prompt: { readonly y: number } | { readonly gapPx: number }
  /** The last corner of the window. */
  readonly logo: Area
  /** Size of labels and their spacing, as a multiple of the usual one. */
  readonly unit: number
}

/** Theme: a terminal window in front of hills, at night or in the morning. */
export const terminal: Theme = {
  flat: true,
  styles,
  patterns: 1,
  prepare(look) {
    const { accent, size, brandBackground } = look
    const { palette } = paletteOn(palettes, look.scheme, 'dark', brandBackground, onCustomBackground)
    const { promptMin, promptMax, screen, frame } = palette
    const lightness = Math.max(promptMin, Math.min(promptMax, accent.main.l))
    const color = readable({ ...accent.main, l: lightness }, screen, 7)
    const composition = size.shape === 'wide' ? wide(size) : upright(size)
    const { window, content } = composition
    const land = brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
    if (brandBackground?.picture !== undefined) {
      const card = { x: 0, y: 0, width: size.widthPx, height: size.heightPx }
      const cover = coverPicture(brandBackground.picture, card, size.widthPx, look.direction)
      const inks = inksOnPicture(palette)
      const range = cover.luminanceIn(window)
      const glass = scrimOpacity(range, screen, [...needsOf(inks), { color, ratio: 4.65 }])
      const bar = scrimOpacity(range, frame, [{ color: palette.label, ratio: 4.65 }])
      const colors = { ...palette, ...inks, color, logoBackgrounds: greysThrough(range, screen, glass) }
      const panes = { screen: Math.max(glass, 0.6), bar: Math.max(bar, glass, 0.6) }
      return {
        background: {
          color: toHex(screen),
          picture: cover.picture,
          body: shadow(composition, palette) + windowOf(composition, palette, panes),
        },
        content,
        draw: (texts, canvas, logo) => draw(texts, canvas, composition, colors, logo),
      }
    }
    const colors = { ...palette, color, logoBackgrounds: [screen] }
    return {
      background: {
        color: toHex(screen),
        body: hills(land, palette, size) + shadow(composition, palette) + windowOf(composition, palette),
      },
      content,
      draw: (texts, canvas, logo) => draw(texts, canvas, composition, colors, logo),
    }
  },
}

/** The window has the brandBackground's colour. */
function onCustomBackground(base: Palette, { background, ink, paleInk }: BackgroundColors): Palette {
  const frame = mix(background, ink, 0.09)
  return { ...base, screen: background, frame, ink, paleInk, label: paleInkOn(frame, ink) }
}

const wideSizes = [116, 102, 90, 80, 72, 65, 58, 52, 46, 41, 36]

/** The window fills the card; the prompt waits at its foot. */
function wide({ widthPx, heightPx, unit }: CardSize): Composition {
  const [x, y] = [Math.round(64 * unit), Math.round(52 * unit)]
  const window = { x, y, width: widthPx - 2 * x, height: heightPx - 2 * y }
  const margin = Math.round(128 * unit)
  const width = widthPx - 2 * margin
  const top = Math.round(138 * unit)
  return {
    window,
    barPx: Math.round(56 * unit),
    content: {
      x: margin,
      y: y + Math.round(10 * unit),
      width,
      height: window.height - Math.round(34 * unit),
    },
    text: { x: margin, y: top, width, height: heightPx - top - Math.round(140 * unit) },
    layout: {
      title: {
        sizesPx: scaledSizes(wideSizes, unit),
        maxLines: 4,
        leading: 1.18,
        maxHeightPx: heightPx - 394 * unit,
      },
      subtitle: {
        sizesPx: scaledSizes([30, 27, 24], unit),
        maxLines: 2,
        leading: 1.42,
        maxWidthPx: Math.round(920 * unit),
      },
    },
    prompt: { y: heightPx - Math.round(100 * unit) },
    logo: {
      x: margin + width * 0.5,
      y: heightPx - Math.ceil(130 * unit),
      width: width * 0.5,
      height: 52 * unit,
    },
    unit,
  }
}

/** The window leaves a landscape below it; its text runs from the top, and the prompt follows it. */
function upright({ widthPx, heightPx, shape }: CardSize): Composition {
  const isTall = shape === 'tall'
  const [x, unit, padding] = [60, 1.25, 56]
  const y = isTall ? 96 : 72
  const height = heightPx - y - Math.round(heightPx * (isTall ? 0.24 : 0.12))
  const window = { x, y, width: widthPx - 2 * x, height }
  const barPx = 72
  const content = { x: x + padding, y: y + 16, width: window.width - 2 * padding, height: height - 16 - 40 }
  const top = y + barPx + 56
  const promptPx = 120
  return {
    window,
    barPx,
    content,
    text: { ...content, y: top, height: y + height - top - promptPx },
    layout: {
      title: {
        sizesPx: isTall ? sizeSteps(132, 42) : sizeSteps(128, 40),
        maxLines: isTall ? 9 : 7,
        leading: 1.16,
        maxHeightPx: height * 0.6,
      },
      subtitle: {
        sizesPx: isTall ? [40, 36, 32] : [36, 33, 30],
        maxLines: isTall ? 6 : 4,
        leading: 1.42,
        maxWidthPx: content.width,
      },
      anchor: 0,
    },
    prompt: { gapPx: 68 },
    logo: {
      x: content.x + content.width * 0.4,
      y: content.y + content.height - 76,
      width: content.width * 0.6,
      height: 76,
    },
    unit,
  }
}

type Colors = Palette & { readonly color: Rgb; readonly logoBackgrounds: readonly Rgb[] }

function draw(
  texts: CardTexts,
  canvas: Canvas,
  composition: Composition,
  colors: Colors,
  logo: CardLogo | undefined,
): void {
  const { text, layout, prompt } = composition
  const end = drawLayout(texts, canvas, text, layout, colors)
  drawBar(texts, canvas, composition, colors)
  const logoPx = logo === undefined ? 0 : drawLogo(logo, canvas, composition, colors)
  drawPrompt(
    texts,
    canvas,
    { ...composition, text: { ...text, width: text.width - logoPx } },
    'y' in prompt ? prompt.y : Math.round(end + prompt.gapPx),
    colors.color,
  )
}

/** The domain in the bar of the window, and the footer line in its place or behind it. */
function drawBar(
  { domain, footer }: CardTexts,
  canvas: Canvas,
  composition: Composition,
  { label }: Colors,
): void {
  const { window, barPx, unit } = composition
  const besidePx = Math.round(136 * unit)
  const [x, roomPx, centreY] = [window.x + besidePx, window.width - 2 * besidePx, window.y + barPx / 2]
  const sizePx = Math.round(22 * unit)
  const gapPx = 44 * unit
  const first = domain && canvas.line('domain', domain, sizePx, footer === undefined ? roomPx : roomPx * 0.5)
  const firstPx = first ? first.widthPx + gapPx : 0
  const last = footer && footerLine(canvas, footer, sizePx, roomPx - firstPx)
  if (first && !last) canvas.label('domain', first, x, centreY, roomPx, label, 'center')
  else if (last && !first) canvas.label('footer', last, x, centreY, roomPx, label, 'center')
  if (!first || !last) return
  const start = x + (roomPx - firstPx - last.widthPx) / 2
  canvas.label('domain', first, start, centreY, first.widthPx, label)
  canvas.shape(
    rectangle(0, 0, 2, 22),
    start + firstPx - gapPx / 2 - unit,
    centreY - 11 * unit,
    2 * unit,
    label,
    0.5,
    unit,
  )
  canvas.label('footer', last, start + firstPx, centreY, last.widthPx, label)
}

/** Returns the width that the logo takes from the line of the prompt. */
function drawLogo(
  logo: CardLogo,
  canvas: Canvas,
  composition: Composition,
  { logoBackgrounds: backgrounds, ink }: Colors,
): number {
  const { logo: area, unit } = composition
  const place = {
    area,
    sidePx: area.height * 0.9,
    align: 'end',
    anchor: 0.5,
    backgrounds,
    ink,
  } as const
  return canvas.logo(logo, place).width + Math.round(40 * unit)
}

const chevron = {
  ltr: 'M0 2.2L2.2 0L13 10.5L2.2 21L0 18.8L8.4 10.5z',
  rtl: 'M13 2.2L10.8 0L0 10.5L10.8 21L13 18.8L4.6 10.5z',
}
const cursor = rectangle(0, 0, 14, 31)

/** The prompt, with the author as a command that is being typed. Without an author it is empty. */
function drawPrompt(
  texts: CardTexts,
  canvas: Canvas,
  { text: { x, width }, unit }: Composition,
  y: number,
  color: Rgb,
): void {
  canvas.shape(chevron[canvas.direction], x, y - 10.5 * unit, 13 * unit, color, undefined, unit)
  const textX = x + 30 * unit
  const author =
    texts.author === undefined
      ? undefined
      : canvas.line('author', texts.author, Math.round(26 * unit), width - 60 * unit)
  if (author !== undefined) canvas.label('author', author, textX, y, author.widthPx, color)
  const cursorX = textX + (author === undefined ? 0 : author.widthPx + 8 * unit)
  canvas.shape(cursor, cursorX, y - 15.5 * unit, 14 * unit, color, 0.85, unit)
}

/** How opaque the parts of a window are that stands before a picture. */
interface Panes {
  readonly screen: number
  readonly bar: number
}

function windowOf({ window, barPx, unit }: Composition, { screen, frame }: Palette, panes?: Panes): string {
  const { x, y, width, height } = window
  const radius = Math.round(20 * unit)
  const centreY = y + barPx / 2
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map((color, index) =>
    filled(color, circle(x + (36 + 28 * index) * unit, centreY, 8.5 * unit)),
  )
  const bar = `M${x} ${y + barPx}V${y + radius}a${radius} ${radius} 0 0 1 ${radius}-${radius}h${width - 2 * radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}v${barPx - radius}z`
  if (panes === undefined) {
    const whole = filled(screen, roundedRectangle(x, y, width, height, radius))
    return [whole, filled(frame, bar), ...lights].join('')
  }
  const below = height - barPx
  const pane = `M${x} ${y + barPx}h${width}v${below - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}h${2 * radius - width}a${radius} ${radius} 0 0 1 -${radius} -${radius}z`
  return [glass(screen, pane, panes.screen), glass(frame, bar, panes.bar), ...lights].join('')
}

function glass(color: Rgb, d: string, opacity: number): string {
  return `<path fill="${toHex(color)}" fill-opacity="${shortNumber(opacity)}" d="${d}"/>`
}

/** The window's shadow in two hard steps: a soft one would need a filter. */
function shadow({ window: { x, y, width, height }, unit }: Composition, { shadowOpacity }: Palette): string {
  return [18, 9]
    .map((drop) => drop * unit)
    .map((drop) =>
      roundedRectangle(x - drop / 3, y + drop, width + (drop * 2) / 3, height, Math.round(20 * unit)),
    )
    .map((d) => `<path fill-opacity="${shadowOpacity}" d="${d}"/>`)
    .join('')
}

/** The background: four layers of hills, from the first colour into the second. */
function hills({ main, second }: Accent, { farMin, farMax, fall, chroma }: Palette, size: CardSize): string {
  const far = Math.min(farMax, Math.max(farMin, main.l))
  const layers: readonly (readonly [color: Rgb, d: string])[] = [
    [shade(main, far, chroma), wholeCard(cardSizes.og)],
    [shade(main, far - fall[0], chroma), 'M0 190C220 90 420 60 640 150S1010 250 1200 90V630H0z'],
    [shade(second, far - fall[1], chroma), 'M0 380C180 260 380 300 560 390S960 470 1200 260V630H0z'],
    [shade(second, far - fall[2], chroma), 'M0 520C260 420 480 560 700 570S1060 540 1200 430V630H0z'],
  ]
  const body = layers.map(([color, d]) => filled(color, d)).join('')
  const [x, y] = [size.widthPx / cardSizes.og.widthPx, size.heightPx / cardSizes.og.heightPx]
  return x === 1 && y === 1
    ? body
    : `<g transform="scale(${x.toPrecision(6)} ${y.toPrecision(6)})">${body}</g>`
}
