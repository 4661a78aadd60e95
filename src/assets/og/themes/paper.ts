import type { Rgb } from '../../../lib/color.ts'
import { cardHeightPx, cardWidthPx } from '../../../raster/scene.ts'
import { readable } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import type { Canvas } from '../canvas.ts'
import { drawLayout } from '../layout.ts'
import { rectangle } from '../shapes.ts'
import type { CardWords, Theme } from '../theme.ts'

const page: Rgb = { r: 246, g: 241, b: 230 }
const ink: Rgb = { r: 29, g: 26, b: 22 }
const paleInk: Rgb = { r: 92, g: 84, b: 72 }
const line: Rgb = { r: 214, g: 205, b: 187 }

const margin = 88
const widthPx = cardWidthPx - 2 * margin
const topRuleY = 124
const bottomRuleY = 528
const ribbon = 'M1060 0h52v96l-26-20-26 20z'

const styles = {
  title: { family: 'serif', weight: 500, trackingUnits: -14 },
  subtitle: { family: 'serif-italic', weight: 400 },
  author: { family: 'serif', weight: 500 },
  domain: { family: 'sans', weight: 500 },
} as const

const layout = {
  title: {
    sizesPx: [164, 146, 130, 116, 104, 94, 86, 80, 73, 66, 59, 52, 46, 42],
    maxLines: 4,
    leading: 1.08,
    maxHeightPx: 268,
    color: ink,
  },
  subtitle: { sizesPx: [38, 34, 30], maxLines: 2, leading: 1.32, maxWidthPx: 900, color: paleInk },
} as const

/** Theme: a book page with serif type, thin rules and a ribbon. */
export const paper: Theme = {
  flat: true,
  styles,
  prepare(accent) {
    const color = readable({ ...accent.main, l: Math.min(0.56, accent.main.l) }, page, 4.6)
    return {
      background: { body: filled(page, wholeCard) + filled(color, ribbon) },
      draw: (words, canvas) => draw(words, canvas, color),
    }
  },
}

function draw(words: CardWords, canvas: Canvas, color: Rgb): void {
  const top = words.domain === undefined ? 84 : topRuleY + 24
  const bottom = words.author === undefined ? cardHeightPx - 84 : bottomRuleY - 24
  drawLayout(words, canvas, { x: margin, y: top, width: widthPx, height: bottom - top }, layout)
  if (words.domain !== undefined) {
    const domain = canvas.line('domain', words.domain, 25, widthPx - 92)
    canvas.label('domain', domain, margin, topRuleY - 34, widthPx - 92, color)
    drawRule(canvas, topRuleY)
  }
  if (words.author !== undefined) {
    const dashPx = 52
    const author = canvas.line('author', words.author, 30, widthPx - dashPx)
    drawRule(canvas, bottomRuleY)
    canvas.shape(rectangle(0, 0, 34, 3), margin, bottomRuleY + 44.5, 34, color)
    canvas.label('author', author, margin + dashPx, bottomRuleY + 46, widthPx - dashPx, ink)
  }
}

function drawRule(canvas: Canvas, y: number): void {
  canvas.shape(rectangle(0, 0, widthPx, 2), margin, y, widthPx, line)
}
