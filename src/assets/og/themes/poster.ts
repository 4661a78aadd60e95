import { contrastRatio, fromOklch, mix, type Oklch, type Rgb, white } from '../../../lib/color.ts'
import { type Accent, isMuddyInTheDark, shade } from '../accent.ts'
import { type BackgroundColors, backgroundColors, paleInkOn } from '../background/background-colors.ts'
import type { BrandBackground } from '../background/brand-background.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import type { CardSize, Shape } from '../card-sizes.ts'
import { paintedTheme } from '../engine/compile-theme.ts'
import { logoInk } from '../logo/logo-outline.ts'
import { bestBackground } from '../logo/logo-paint.ts'
import { type Area, facing, filled, wholeCard } from '../shapes.ts'
import type { CardColors, Scheme, TextColors } from '../theme.ts'
import { type PatternArea, type PatternColors, tilePattern } from '../tile-pattern.ts'
import json from './poster.json' with { type: 'json' }

type Colors = CardColors & PosterColors

/**
 * Theme: large text beside a pattern of geometric figures. Its own scheme paints the card with the accent; `light` and
 * `dark` print the accent on paper and on black.
 */
export const poster = paintedTheme<Colors>(json, {
  patterns: 32,
  colors({ accent, scheme, brandBackground }) {
    const colors = posterColors(accent, scheme, brandBackground)
    const { ink, paleInk, background } = colors
    const labels = { eyebrow: paleInk, author: ink, domain: paleInk, footer: paleInk }
    return { ...colors, ...labels, mark: ink, onMark: background, rule: ink }
  },
  tile: (logo, colors, { size, align, brandBackground }) =>
    tileFor(logo, colors, size, brandBackground?.picture !== undefined, align === 'center'),
  background({ accent, size, align, pattern }, colors) {
    const area = patternArea(size, false, align === 'center')
    const figures = tilePattern(accent.key, pattern, colors, area)
    const atBothSides = align === 'center' && size.shape === 'wide'
    return {
      color: colors.background,
      body:
        filled(colors.background, wholeCard(size)) +
        figures +
        (atBothSides ? facing('rtl', size.widthPx, figures) : ''),
      logoBackgrounds: [colors.background],
    }
  },
  sheet: {},
  /** A picture has the place of the pattern, which reaches three of the card's edges. */
  inPlace: (size) => areaOf(patternArea(size, true)),
})

/** The pattern fills the end of a wide card, or both of its sides, the foot of a square one and the head of a tall one. */
function patternArea(
  { widthPx, heightPx, shape }: CardSize,
  hasPicture: boolean,
  isCentred = false,
): PatternArea {
  if (shape === 'wide') {
    if (isCentred) return { x: 0, y: 0, columns: 2, rows: 6, sidePx: heightPx / 6 }
    const [sidePx, columns] = [heightPx / 6, hasPicture ? 4 : 3]
    return { x: widthPx - columns * sidePx, y: 0, columns, rows: 6, sidePx }
  }
  const isTall = shape === 'tall'
  const columns = isTall ? Math.round(widthPx / 200) : 8
  const sidePx = widthPx / columns
  const rows = isTall ? Math.round((heightPx * 0.36) / sidePx) : hasPicture ? 3 : 2
  return { x: 0, y: isTall ? 0 : heightPx - rows * sidePx, columns, rows, sidePx }
}

function areaOf({ x, y, columns, rows, sidePx }: PatternArea): Area {
  return { x, y, width: columns * sidePx, height: rows * sidePx }
}

/** Columns and rows. */
type Tile = readonly [columns: number, rows: number]

/** The cells that a logo's tile takes: of a square logo, of a wide one, and of a line of letters. */
const tiles: Readonly<Record<Shape, readonly [square: Tile, wide: Tile, line: Tile]>> = {
  wide: [
    [2, 2],
    [3, 2],
    [3, 1],
  ],
  square: [
    [2, 2],
    [3, 2],
    [4, 1],
  ],
  tall: [
    [1, 1],
    [2, 1],
    [2, 1],
  ],
}

/** The logo on a tile of its own in the last corner of the pattern, on the first of its colours that suits. */
function tileFor(
  logo: CardLogo,
  { pale, background, dark, ink }: Colors,
  size: CardSize,
  hasPicture: boolean,
  isCentred: boolean,
) {
  const { left, top, right, bottom } = logoInk(logo)
  const aspect = (right - left) / (bottom - top)
  const pattern = patternArea(size, hasPicture)
  const isHanging = isCentred && size.shape === 'wide'
  const [wanted, high] = tiles[size.shape][aspect < 1.5 ? 0 : aspect < 3 ? 1 : 2]
  const rows = isHanging ? 1 : high
  // In the middle of a band of cells a tile has as many columns as leave equal numbers beside it.
  const columns = isHanging ? wanted - 1 || 1 : isCentred ? wanted + ((pattern.columns - wanted) % 2) : wanted
  const [width, height] = [columns * pattern.sidePx, rows * pattern.sidePx]
  const x = isCentred ? (size.widthPx - width) / 2 : pattern.x + pattern.columns * pattern.sidePx - width
  const y = isHanging ? 0 : pattern.y + pattern.rows * pattern.sidePx - height
  const color = bestBackground(logo, [pale, background, dark])
  const [insetX, insetY] = [width * 0.16, height * 0.2]
  return {
    area: {
      x: x + insetX,
      y: y + (isHanging ? 1.5 : 1) * insetY,
      width: width - 2 * insetX,
      height: height - 2 * insetY - (isHanging ? 0.5 * insetY : 0),
    },
    sidePx: Math.min(width, height) * 0.54,
    backgrounds: [color],
    // A little more than its cells, so that none of their colour shows along the edges.
    tile: { area: { x: x - 1, y: y - 1, width: width + 1, height: height + 1 }, color },
    ink: contrastRatio(dark, color) > contrastRatio(ink, color) ? dark : ink,
  }
}

export interface PosterColors extends PatternColors, TextColors {}

const black: Rgb = { r: 22, g: 18, b: 13 }
const cream: Rgb = { r: 255, g: 248, b: 236 }

/** Colours from the accent, or from the brand's brandBackground. */
export function posterColors(
  accent: Accent,
  scheme: Scheme | undefined,
  brandBackground: BrandBackground | undefined,
): PosterColors {
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
): PosterColors {
  const { background, ink, scheme } = colors
  const isLight = scheme === 'light'
  const other = background2 ?? fromOklch(second)
  return {
    ...colors,
    deep: isLight ? mix(background, other, 0.6) : mix(mix(background, other, 0.6), white, 0.12),
    dark: isLight ? ink : mix(background, { r: 0, g: 0, b: 0 }, 0.55),
    pale: mix(background, white, isLight ? 0.7 : 0.88),
    loud: [fromOklch(main), other],
  }
}

/** The background is lightened under black text, darkened under white, until the title is readable. */
function onAccent(main: Oklch): PosterColors {
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

function onPaper(main: Oklch): PosterColors {
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

function onBlack(main: Oklch): PosterColors {
  const background = shade(main, 0.19, isMuddyInTheDark(main) ? 0.05 : 0.22)
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
