import { mix, type Rgb } from '../../../lib/color.ts'
import { markOf, readable } from '../accent.ts'
import { type BackgroundColors, paleInkOn, paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import type { CardSize } from '../card-sizes.ts'
import { lowered, scaledSizes, sizeSteps } from '../engine/boxes.ts'
import { defineTheme } from '../engine/define-theme.ts'
import { noOrnament } from '../engine/ornaments.ts'
import type { Boxes } from '../engine/theme-contract.ts'
import type { Area } from '../shapes.ts'
import {
  barPx,
  centredSlab,
  cursorAndEmptyLines,
  cursorUnits,
  prompt,
  slab,
  statusPx,
  terminalDesktop,
  terminalWindow,
  windowShadow,
} from '../terminal-window.ts'
import type { CardColors, Look, Palettes, TextColors } from '../theme.ts'

interface Palette extends TextColors {
  readonly background: Rgb
  /** Title bar and status bar of the window. */
  readonly frame: Rgb
  readonly label: Rgb
  /** Bounds of the lightness of the prompt, and lightness of the desktop. */
  readonly promptMin: number
  readonly promptMax: number
  readonly desktop: number
  readonly chroma: number
}

const palettes: Palettes<Palette> = {
  dark: {
    background: { r: 14, g: 17, b: 22 },
    frame: { r: 27, g: 32, b: 40 },
    ink: { r: 240, g: 243, b: 246 },
    paleInk: { r: 160, g: 170, b: 181 },
    label: { r: 172, g: 181, b: 191 },
    promptMin: 0.74,
    promptMax: 1,
    desktop: 0.58,
    chroma: 1,
  },
  light: {
    background: { r: 253, g: 253, b: 251 },
    frame: { r: 233, g: 234, b: 232 },
    ink: { r: 23, g: 26, b: 32 },
    paleInk: { r: 86, g: 93, b: 103 },
    label: { r: 74, g: 80, b: 89 },
    promptMin: 0,
    promptMax: 0.5,
    desktop: 0.86,
    chroma: 0.8,
  },
}

type Colors = CardColors & Palette

/** Theme: a terminal that leaves the card at its end, with a prompt, a cursor behind the title and a status bar. */
export const terminal = defineTheme<Colors>({
  patterns: 1,
  styles: {
    eyebrow: { family: 'mono', weight: 500 },
    title: { family: 'mono', weight: 700, trackingUnits: -10 },
    subtitle: { family: 'mono', weight: 400 },
    author: { family: 'mono', weight: 700 },
    domain: { family: 'mono', weight: 500 },
  },
  colors({ accent, scheme, brandBackground }) {
    const { palette, scheme: own } = paletteOn(palettes, scheme, 'dark', brandBackground, onCustomBackground)
    const { promptMin, promptMax, background, paleInk, label } = palette
    const lightness = Math.max(promptMin, Math.min(promptMax, accent.main.l))
    const prompt = readable({ ...accent.main, l: lightness }, background, 7)
    const { mark, onMark } = markOf(accent.main, own === 'dark', [0.45, 0.6])
    const labels = { eyebrow: paleInk, author: onMark, domain: label, footer: label }
    return { ...palette, ...labels, mark, onMark, rule: prompt }
  },
  boxes: { wide, square: upright, tall: upright },
  background: (look, colors, boxes) => ({
    color: colors.background,
    body:
      terminalDesktop(look, colors) +
      windowShadow(boxes, look.size) +
      terminalWindow(boxes, look.size, colors),
    logoBackgrounds: [look.align === 'center' ? colors.background : colors.frame],
  }),
  isOverPicture: true,
  /** The window is beside the picture, below it on a card that is no wide one, or small over it. */
  picture(look, colors, _boxes, picture) {
    const { size, direction, align, brandBackground } = look
    const { widthPx, heightPx, shape } = size
    const [isWide, isCentred] = [shape === 'wide', align === 'center']
    const sheet = isWide
      ? { ...size, widthPx: isCentred ? widthPx : Math.round(widthPx * 0.66) }
      : { ...size, heightPx: Math.round(heightPx * (shape === 'tall' ? 0.62 : 0.66)) }
    const y = heightPx - sheet.heightPx
    const whole = { x: 0, y: 0, width: widthPx, height: heightPx }
    const beside = isWide
      ? { ...whole, x: sheet.widthPx, width: widthPx - sheet.widthPx }
      : { ...whole, height: y }
    const shown = isWide && isCentred ? whole : beside
    const isOver = brandBackground?.layout === 'cover' || shown === whole
    const bare = isWide ? wide(sheet, look) : upright(sheet, look)
    const boxes = lowered(bare, y)
    const window = terminalWindow(boxes, isOver ? size : sheet, colors)
    const desktop = terminalDesktop({ ...look, size: sheet }, colors) + windowShadow(bare, sheet)
    return {
      color: colors.background,
      picture: coverPicture(picture, isOver ? whole : shown, widthPx, direction, shown).picture,
      body: isOver
        ? window
        : (y === 0 ? desktop : `<g transform="translate(0 ${y})">${desktop}</g>`) + window,
      boxes,
      logoBackgrounds: [isCentred ? colors.background : colors.frame],
    }
  },
})

/** The window has the background's colour. */
function onCustomBackground(base: Palette, { background, ink, paleInk }: BackgroundColors): Palette {
  const frame = mix(background, ink, 0.09)
  return { ...base, background, frame, ink, paleInk, label: paleInkOn(frame, ink) }
}

/** A comment of the shell. */
const comment = { text: '#', indent: 1.2 } as const

/** The window begins at the start of the card and leaves it at the end; about the middle all of it is on the card. */
function wide({ widthPx, heightPx, unit }: CardSize, { align, brandBackground }: Look): Boxes {
  const isBeforePicture = align === 'center' && brandBackground?.picture !== undefined
  const x = Math.round((isBeforePicture ? 210 : 60) * unit)
  const [y, below] = [Math.round(44 * unit), Math.round(40 * unit)]
  const isCentred = align === 'center'
  const end = isCentred ? x : Math.round(48 * unit)
  const content = { x, y, width: widthPx - x - end, height: heightPx - y - below }
  const text = {
    top: y + Math.round((barPx + 34) * unit),
    bottom: heightPx - below - Math.round((statusPx + 26) * unit),
    padding: Math.round(46 * unit),
  }
  return {
    ...windowBoxes(content, text, unit, isCentred),
    eyebrow: {
      sizesPx: scaledSizes(isCentred ? [30, 26] : [30], unit),
      maxLines: isCentred ? 2 : 1,
      ornament: prompt,
      isAlways: true,
    },
    title: {
      sizesPx: scaledSizes([132, 116, 102, 90, 80, 72, 65, 60, 54, 48, 42, 36], unit),
      maxLines: 4,
      leading: 1.14,
      maxHeightPx: heightPx - 350 * unit,
      tailUnits: isCentred ? 2 * cursorUnits : cursorUnits,
      wholePxMin: 46 * unit,
    },
    subtitle: {
      sizesPx: scaledSizes([32, 30, 28], unit),
      maxLines: 2,
      leading: 1.38,
      maxWidthPx: Math.round(960 * unit),
      ...(!isCentred && { sign: comment }),
    },
  }
}

/** The whole window is on the card. */
function upright({ widthPx, heightPx, shape }: CardSize, { align }: Look): Boxes {
  const isCentred = align === 'center'
  const isTall = shape === 'tall'
  const [x, y, unit] = [56, isTall ? 84 : 64, 1.25]
  const content = { x, y, width: widthPx - 2 * x, height: heightPx - 2 * y }
  const text = { top: y + barPx * unit + 56, bottom: y + content.height - statusPx * unit - 48, padding: 56 }
  return {
    ...windowBoxes(content, text, unit, isCentred),
    eyebrow: {
      sizesPx: isCentred ? [36, 32] : [36],
      maxLines: isCentred ? 2 : 1,
      ornament: prompt,
      isAlways: true,
    },
    title: {
      sizesPx: isTall ? sizeSteps(172, 46) : sizeSteps(150, 42),
      maxLines: isTall ? 8 : 6,
      leading: 1.14,
      maxHeightPx: content.height * 0.62,
      tailUnits: isCentred ? 2 * cursorUnits : cursorUnits,
      wholePxMin: isTall ? 58 : 52,
    },
    subtitle: {
      sizesPx: isTall ? [46, 42, 38, 34] : [42, 38, 34],
      maxLines: isTall ? 6 : 4,
      leading: 1.4,
      maxWidthPx: content.width,
      ...(!isCentred && { sign: comment }),
    },
  }
}

interface TextBounds {
  readonly top: number
  readonly bottom: number
  readonly padding: number
}

/** The rows in the bars of the window, and the cursor behind the title. */
function windowBoxes(content: Area, { top, bottom, padding }: TextBounds, unit: number, isCentred: boolean) {
  const { x, y, width, height } = content
  const [dotsPx, status] = [140 * unit, y + height - (statusPx / 2) * unit]
  // Networks cut off the end of a wide card.
  const endPx = Math.round(30 * unit)
  const logoPx = Math.round(statusPx * unit) - 12
  return {
    content,
    unit,
    text: {
      top,
      bareTop: top,
      bottom,
      bareBottom: bottom,
      x: x + padding,
      widthPx: width - 2 * padding,
      anchor: 0,
      align: 'start' as const,
    },
    byline: { row: 'foot', sizePx: 30, ornament: isCentred ? centredSlab : slab },
    domain: { row: 'head', sizePx: 30, ornament: noOrnament },
    footer: { row: 'head', sizePx: 30, ornament: noOrnament },
    head: {
      centreY: y + (barPx / 2) * unit,
      linePx: 46 * unit,
      align: 'start',
      x: x + dotsPx,
      widthPx: width - dotsPx - endPx,
    },
    foot: { centreY: status, linePx: 0, align: 'start', x, widthPx: width - endPx },
    logo: isCentred
      ? {
          row: undefined,
          area: { x, y: top, width, height: 56 * unit },
          sidePx: 50 * unit,
          align: 'center',
          gapPx: 22 * unit,
        }
      : {
          row: 'foot',
          area: { x: x + width * 0.5, y: status - logoPx / 2, width: width * 0.5 - endPx, height: logoPx },
          sidePx: logoPx * 0.86,
          align: 'end',
        },
    finish: cursorAndEmptyLines(bottom, isCentred ? x + padding : undefined),
  } as const satisfies Partial<Boxes>
}
