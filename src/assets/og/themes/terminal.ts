import { mix, type Rgb } from '../../../lib/color.ts'
import { markOf, readable } from '../accent.ts'
import { type BackgroundColors, paleInkOn, paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import { lowered } from '../engine/boxes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import { terminalDesktop, terminalWindow, windowShadow } from '../terminal-window.ts'
import type { CardColors, Palettes, TextColors } from '../theme.ts'
import json from './terminal.json' with { type: 'json' }

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
export const terminal = themeOf<Colors>(json, {
  patterns: 1,
  colors({ accent, scheme, brandBackground }) {
    const { palette, scheme: own } = paletteOn(palettes, scheme, 'dark', brandBackground, onCustomBackground)
    const { promptMin, promptMax, background, paleInk, label } = palette
    const lightness = Math.max(promptMin, Math.min(promptMax, accent.main.l))
    const prompt = readable({ ...accent.main, l: lightness }, background, 7)
    const { mark, onMark } = markOf(accent.main, own === 'dark', [0.45, 0.6])
    const labels = { eyebrow: paleInk, author: onMark, domain: label, footer: label }
    return { ...palette, ...labels, mark, onMark, rule: prompt }
  },
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
  picture(look, colors, _boxes, picture, boxesOn) {
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
    const bare = boxesOn(sheet)
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
