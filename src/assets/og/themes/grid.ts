import { fromOklch, type Rgb, toHex, white } from '../../../lib/color.ts'
import { cardHeightPx, cardWidthPx, idPrefix } from '../../../raster/scene.ts'
import { type Accent, readable, shade } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import { drawByline } from '../byline.ts'
import type { Canvas } from '../canvas.ts'
import { type Glow, glowGradient, paintGlows } from '../glow.ts'
import { drawLayout } from '../layout.ts'
import { circle, rectangle, roundedRectangle } from '../shapes.ts'
import type { CardWords, Theme } from '../theme.ts'

const background: Rgb = { r: 251, g: 251, b: 253 }
const ink: Rgb = { r: 12, g: 14, b: 20 }
const paleInk: Rgb = { r: 70, g: 76, b: 90 }
const border: Rgb = { r: 222, g: 225, b: 232 }

const margin = 84
const widthPx = cardWidthPx - 2 * margin
const cellPx = 40
const chipHeightPx = 54
const linePeak = 0.19
const linesId = `${idPrefix}2`
const barId = `${idPrefix}b`
const dot = circle(7, 7, 7)

const styles = {
  title: { family: 'sans', weight: 800, trackingUnits: -28 },
  subtitle: { family: 'sans', weight: 400 },
  author: { family: 'sans', weight: 600 },
  domain: { family: 'sans', weight: 500 },
} as const

const layout = {
  title: {
    sizesPx: [150, 134, 120, 107, 96, 87, 81, 75, 68, 61, 54, 48, 42],
    maxLines: 4,
    leading: 1.06,
    maxHeightPx: 262,
    color: ink,
  },
  subtitle: { sizesPx: [36, 32, 28], maxLines: 2, leading: 1.38, maxWidthPx: 920, color: paleInk },
} as const

/** Theme: faint grid lines and glows in the corner of a light card. */
export const grid: Theme = {
  flat: false,
  styles,
  prepare(accent) {
    const { defs, body } = paintGlows(glowsOf(accent))
    const disc = readable({ ...accent.main, l: Math.max(0.48, Math.min(0.62, accent.main.l)) }, white, 4.6)
    const fade = glowGradient(lineFade(accent), linesId)
    const bar = `<linearGradient id="${barId}"><stop stop-color="${css(accent.second)}"/><stop offset="1" stop-color="${css(accent.main)}"/></linearGradient>`
    return {
      background: {
        defs: defs + fade + bar,
        body: `${filled(background, wholeCard)}${body}<path stroke="url(#${linesId})" stroke-opacity="${linePeak}" d="${lines}"/>${filled(`url(#${barId})`, rectangle(0, cardHeightPx - 8, cardWidthPx, 8))}`,
      },
      draw: (words, canvas) => draw(words, canvas, disc),
    }
  },
}

function draw(words: CardWords, canvas: Canvas, accentColor: Rgb): void {
  const top = words.domain === undefined ? 80 : 72 + chipHeightPx + 26
  const bottom = words.author === undefined ? cardHeightPx - 84 : 490
  drawLayout(words, canvas, { x: margin, y: top, width: widthPx, height: bottom - top }, layout)
  if (words.domain !== undefined) drawChip(words.domain, canvas, accentColor)
  drawByline(words, canvas, {
    x: margin,
    centreY: 548,
    maxWidthPx: widthPx,
    color: ink,
    discColor: accentColor,
  })
}

function drawChip(domain: string, canvas: Canvas, dotColor: Rgb): void {
  const fitted = canvas.line('domain', domain, 25, widthPx - 82)
  const chipPx = fitted.widthPx + 82
  const edge = roundedRectangle(0, 0, chipPx, chipHeightPx, chipHeightPx / 2)
  const face = roundedRectangle(0, 0, chipPx - 3, chipHeightPx - 3, (chipHeightPx - 3) / 2)
  canvas.shape(edge, margin, 70, chipPx, border)
  canvas.shape(face, margin + 1.5, 71.5, chipPx - 3, white)
  canvas.shape(dot, margin + 26, 70 + chipHeightPx / 2 - 7, 14, dotColor)
  canvas.label('domain', fitted, margin + 52, 70 + chipHeightPx / 2, fitted.widthPx, paleInk)
}

const lines = [
  ...Array.from({ length: 30 }, (_, index) => `M${index * cellPx + 4.5} 0v630`),
  ...Array.from({ length: 16 }, (_, index) => `M0 ${index * cellPx + 14.5}h1200`),
].join('')

function glowsOf({ main, second }: Accent): readonly Glow[] {
  return [
    { cx: 1200, cy: 60, rx: 640, ry: 460, angle: 24, color: shade(main, 0.74), peak: 0.58 },
    { cx: 780, cy: -140, rx: 560, ry: 320, angle: 8, color: shade(second, 0.76), peak: 0.46 },
  ]
}

/** The gradient that the grid lines are painted with: strongest in the corner, nothing where the words begin. */
function lineFade({ main }: Accent): Glow {
  return { cx: 1110, cy: 40, rx: 1000, ry: 620, angle: 14, color: shade(main, 0.35, 0.6), peak: linePeak }
}

function css(color: Accent['main']): string {
  return toHex(fromOklch({ ...color, l: Math.min(0.7, color.l) }))
}
