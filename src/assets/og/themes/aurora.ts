import { contrastRatio, fromOklch, type Rgb, white } from '../../../lib/color.ts'
import { cardHeightPx, cardWidthPx } from '../../../raster/scene.ts'
import { type Accent, readable, shade } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import { drawByline } from '../byline.ts'
import type { Canvas } from '../canvas.ts'
import { type Glow, litColor, paintGlows } from '../glow.ts'
import { drawLayout } from '../layout.ts'
import { ellipse, rectangle, ring } from '../shapes.ts'
import type { CardWords, Theme } from '../theme.ts'

const background = fromOklch({ l: 0.145, c: 0.012, h: 268 })
const grey: Rgb = { r: 186, g: 194, b: 209 }

const margin = 84
const widthPx = cardWidthPx - 2 * margin
const ruleY = 506
const footerY = 558

const styles = {
  title: { family: 'sans', weight: 700, trackingUnits: -24 },
  subtitle: { family: 'sans', weight: 400 },
  author: { family: 'sans', weight: 600 },
  domain: { family: 'sans', weight: 400 },
} as const

const layout = {
  title: {
    sizesPx: [152, 136, 122, 109, 98, 88, 82, 76, 69, 62, 55, 48, 42],
    maxLines: 4,
    leading: 1.08,
    maxHeightPx: 276,
    color: white,
  },
  subtitle: { sizesPx: [36, 32, 28], maxLines: 2, leading: 1.38, maxWidthPx: 920, color: grey },
} as const

/** Theme: coloured glows in the corners of a dark card. */
export const aurora: Theme = {
  flat: false,
  styles,
  prepare(accent) {
    const { defs, body } = paintGlows(readableGlows(accent))
    const discColor = readable(
      { ...accent.main, l: Math.max(0.45, Math.min(0.6, accent.main.l)) },
      white,
      4.6,
    )
    return {
      background: { defs, body: filled(background, wholeCard) + body },
      draw: (words, canvas) => draw(words, canvas, discColor),
    }
  },
}

function draw(words: CardWords, canvas: Canvas, discColor: Rgb): void {
  const hasFooter = words.author !== undefined || words.domain !== undefined
  const bottom = hasFooter ? ruleY - 34 : cardHeightPx - 76
  drawLayout(words, canvas, { x: margin, y: 76, width: widthPx, height: bottom - 76 }, layout)
  if (!hasFooter) return
  canvas.shape(rectangle(0, 0, widthPx, 1.5), margin, ruleY, widthPx, white, 0.16)
  const domainPx =
    words.domain === undefined ? 0 : drawDomain(words.domain, canvas, words.author !== undefined)
  drawByline(words, canvas, {
    x: margin,
    centreY: footerY,
    maxWidthPx: widthPx - domainPx,
    color: white,
    discColor,
  })
}

const globe =
  ring(12, 12, 10.5, 1.8) +
  ellipse(12, 12, 5.3, 11) +
  ellipse(12, 12, 3.5, 9.9, true) +
  rectangle(1.5, 11.1, 21, 1.8)

/** The domain with a globe, at the end of the footer or, when it stands there alone, at its start. Returns its width. */
function drawDomain(domain: string, canvas: Canvas, atEnd: boolean): number {
  const iconPx = 36
  const fitted = canvas.line('domain', domain, 26, (atEnd ? 560 : widthPx) - iconPx)
  const left = atEnd ? margin + widthPx - fitted.widthPx : margin + iconPx
  canvas.shape(globe, left - iconPx, footerY - 12, 24, grey)
  canvas.label('domain', fitted, left, footerY, fitted.widthPx, grey)
  return fitted.widthPx + iconPx + 40
}

/** The glows, dimmed until the words on them are readable. */
function readableGlows(accent: Accent): readonly Glow[] {
  for (let power = 1; power > 0.1; power -= 0.05) {
    const glows = glowsOf(accent, power)
    if (isReadable(glows)) return glows
  }
  return []
}

function glowsOf({ main, second, third }: Accent, power: number): readonly Glow[] {
  return [
    { cx: -30, cy: 700, rx: 640, ry: 250, angle: -14, color: shade(third, 0.5), peak: 0.5 * power },
    { cx: 1270, cy: 580, rx: 760, ry: 330, angle: -38, color: shade(second, 0.54), peak: 0.8 * power },
    { cx: 1020, cy: -90, rx: 860, ry: 400, angle: 26, color: shade(main, 0.6), peak: 0.92 * power },
  ]
}

/** Whether the white title and the grey texts have enough contrast wherever they may stand. */
function isReadable(glows: readonly Glow[]): boolean {
  for (let x = margin; x <= cardWidthPx - margin; x += 86) {
    for (let y = 76; y <= 592; y += 43) {
      const under = litColor(background, glows, x, y)
      if (contrastRatio(grey, under) < 4.6 || contrastRatio(white, under) < 7.1) return false
    }
  }
  return true
}
