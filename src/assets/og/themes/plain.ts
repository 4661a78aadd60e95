import { type Rgb, white } from '../../../lib/color.ts'
import { readable } from '../accent.ts'
import { paletteOn } from '../background/background-colors.ts'
import { coverPicture } from '../background/cover-picture.ts'
import type { CardSize } from '../card-sizes.ts'
import { labelBoxes, lowered, uprightTexts, wideTexts } from '../engine/boxes.ts'
import { defineTheme } from '../engine/define-theme.ts'
import type { Boxes } from '../engine/theme-contract.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import type { CardColors, Palettes, TextColors } from '../theme.ts'

interface Palette extends TextColors {
  readonly background: Rgb
}

const palettes: Palettes<Palette> = {
  light: { background: white, ink: { r: 13, g: 14, b: 17 }, paleInk: { r: 84, g: 88, b: 97 } },
  dark: { background: { r: 11, g: 12, b: 15 }, ink: white, paleInk: { r: 168, g: 174, b: 186 } },
}

/** Theme: logo and texts on one colour, with one mark of the accent: what a company ships. */
export const plain = defineTheme<CardColors>({
  patterns: 1,
  styles: {
    eyebrow: { family: 'sans', weight: 600 },
    title: { family: 'sans', weight: 700, trackingUnits: -28 },
    subtitle: { family: 'sans', weight: 400 },
    author: { family: 'sans', weight: 600 },
    domain: { family: 'sans', weight: 500 },
  },
  colors({ accent, scheme, brandBackground }) {
    const { palette } = paletteOn(palettes, scheme, 'light', brandBackground, (_base, colors) => colors)
    const { background, ink, paleInk } = palette
    const mark = readable(accent.main, background, 4.7)
    return {
      ...palette,
      eyebrow: mark,
      author: ink,
      domain: paleInk,
      footer: paleInk,
      mark,
      onMark: background,
      rule: ink,
    }
  },
  boxes: { wide, square: upright, tall: upright },
  background: ({ size, align }, { background, mark }) => ({
    color: background,
    body: filled(background, wholeCard(size)) + filled(mark, tab(size, align === 'center')),
    logoBackgrounds: [background],
  }),
  /** The picture has the end of a wide card, and the head of the others. */
  picture({ size, direction }, { background }, _boxes, picture) {
    const { widthPx, heightPx, shape } = size
    const isWide = shape === 'wide'
    const sheet = isWide
      ? { ...size, widthPx: Math.round(widthPx * 0.62) }
      : { ...size, heightPx: Math.round(heightPx * (shape === 'tall' ? 0.6 : 0.58)) }
    const y = heightPx - sheet.heightPx
    const frame = isWide
      ? { x: sheet.widthPx, y: 0, width: widthPx - sheet.widthPx, height: heightPx }
      : { x: 0, y: 0, width: widthPx, height: y }
    return {
      color: background,
      body: filled(background, rectangle(0, y, sheet.widthPx, sheet.heightPx)),
      picture: coverPicture(picture, frame, widthPx, direction).picture,
      boxes: isWide ? wide(sheet) : lowered(upright(sheet), y),
      logoBackgrounds: [background],
    }
  },
})

/** The one mark of the accent: a tab at the top edge, above where the texts begin. */
function tab({ widthPx, shape, unit }: CardSize, isCentred: boolean): string {
  const [x, width, height] = shape === 'wide' ? [80 * unit, 88 * unit, 10 * unit] : [84, 112, 12]
  return rectangle(
    Math.round(isCentred ? (widthPx - width) / 2 : x),
    0,
    Math.round(width),
    Math.round(height),
  )
}

const wideTitle = {
  sizes: [160, 144, 128, 114, 102, 92, 84, 77, 70, 63, 56, 50, 44],
  leading: 1.06,
  freeHeight: 330,
}

/** The logo at the head, the text at the foot. */
function wide(size: CardSize): Boxes {
  const { widthPx, heightPx, unit } = size
  const texts = wideTexts(size, wideTitle)
  const margin = Math.round(80 * unit)
  const width = widthPx - 2 * margin
  const y = Math.round(72 * unit)
  const footY = heightPx - Math.round(82 * unit)
  const height = Math.round(72 * unit)
  return {
    content: { x: margin, y, width, height: heightPx - y - Math.round(34 * unit) },
    unit,
    text: {
      top: y,
      bareTop: y,
      bottom: footY - Math.round(50 * unit),
      bareBottom: heightPx - Math.round(76 * unit),
      anchor: 1,
      align: 'start',
    },
    ...texts,
    subtitle: { ...texts.subtitle, leading: 1.36 },
    ...labelBoxes(30, { byline: ['foot'], domain: ['foot'], footer: ['foot'] }),
    head: { centreY: y, linePx: 0, align: 'start' },
    foot: { centreY: footY, linePx: 44 * unit, align: 'start' },
    logo: {
      row: undefined,
      area: { x: margin, y, width: width * 0.7, height },
      sidePx: height * 0.94,
      align: 'start',
      anchor: 0,
      gapPx: 30 * unit,
    },
  }
}

function upright(size: CardSize): Boxes {
  const { widthPx, heightPx, shape } = size
  const isTall = shape === 'tall'
  const title = { largestPx: isTall ? 196 : 172, leading: 1.05, maxHeightPx: heightPx * 0.6 }
  const margin = 84
  const width = widthPx - 2 * margin
  const footY = heightPx - margin - 20
  return {
    content: { x: margin, y: margin - 8, width, height: heightPx - 2 * margin + 44 },
    unit: 1.25,
    text: {
      top: margin,
      bareTop: margin,
      bottom: footY - 64,
      bareBottom: heightPx - margin,
      anchor: 1,
      align: 'start',
    },
    ...uprightTexts(size, title, width),
    ...labelBoxes(28, { byline: ['foot'], domain: ['foot'], footer: ['foot'] }),
    head: { centreY: margin, linePx: 0, align: 'start' },
    foot: { centreY: footY, linePx: 52, align: 'start' },
    logo: {
      row: undefined,
      area: { x: margin, y: margin - 8, width: width * 0.7, height: 100 },
      sidePx: 94,
      align: 'start',
      anchor: 0,
      gapPx: 40,
    },
  }
}
