import { contrastRatio, mix, type Oklch, type Rgb, white } from '../../../lib/color.ts'
import { cardHeightPx } from '../../../raster/scene.ts'
import { type Accent, shade } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import type { Canvas } from '../canvas.ts'
import { drawLayout } from '../layout.ts'
import { type PatternColors, patternStartX, tilePattern } from '../pattern.ts'
import type { CardWords, Theme } from '../theme.ts'

const black: Rgb = { r: 22, g: 18, b: 13 }

const margin = 76
const widthPx = patternStartX - margin - 60
const footerY = 556

const styles = {
  title: { family: 'sans', weight: 800, trackingUnits: -30 },
  subtitle: { family: 'sans', weight: 500 },
  author: { family: 'sans', weight: 700 },
  domain: { family: 'sans', weight: 500 },
} as const

/** Theme: large words beside a pattern of geometric figures. */
export const poster: Theme = {
  flat: true,
  styles,
  prepare(accent) {
    const colors = colorsOf(accent)
    return {
      background: { body: filled(colors.background, wholeCard) + tilePattern(accent.key, colors) },
      draw: (words, canvas) => draw(words, canvas, colors),
    }
  },
}

interface Colors extends PatternColors {
  readonly ink: Rgb
  readonly paleInk: Rgb
}

function draw(words: CardWords, canvas: Canvas, { ink, paleInk }: Colors): void {
  const hasFooter = words.author !== undefined || words.domain !== undefined
  const bottom = hasFooter ? footerY - 44 : cardHeightPx - margin
  drawLayout(
    words,
    canvas,
    { x: margin, y: 72, width: widthPx, height: bottom - 72 },
    {
      title: {
        sizesPx: [186, 166, 148, 132, 118, 105, 94, 84, 76, 69, 62, 55, 48, 42],
        maxLines: 5,
        leading: 1.04,
        maxHeightPx: words.subtitle === undefined ? 400 : 330,
        color: ink,
      },
      subtitle: { sizesPx: [34, 31, 28], maxLines: 3, leading: 1.36, maxWidthPx: 640, color: paleInk },
      anchor: 0,
    },
  )
  drawFooter(words, canvas, ink, paleInk)
}

function drawFooter({ author, domain }: CardWords, canvas: Canvas, ink: Rgb, paleInk: Rgb): void {
  let indentPx = 0
  if (author !== undefined) {
    const name = canvas.line('author', author, 27, domain === undefined ? widthPx : widthPx * 0.5)
    canvas.label('author', name, margin, footerY, name.widthPx, ink)
    indentPx = name.widthPx + 36
  }
  if (domain === undefined) return
  const roomPx = widthPx - indentPx
  const place = canvas.line('domain', domain, 25, roomPx)
  const align = author === undefined ? 'start' : 'end'
  canvas.label('domain', place, margin + indentPx, footerY, roomPx, paleInk, align)
}

/** Colours from the accent. The background is lightened under black text, darkened under white, until the title is readable. */
function colorsOf({ main }: Accent): Colors {
  const isLight = main.l > 0.6
  const ink = isLight ? black : white
  const background = backgroundFor(main, ink, isLight ? 0.01 : -0.01)
  const deep = shade(main, isLight ? 0.5 : 0.26, 0.95)
  return { background, deep, dark: isLight ? black : deep, ink, paleInk: paleInkOn(background, ink) }
}

function backgroundFor(main: Oklch, ink: Rgb, step: number): Rgb {
  let l = step > 0 ? Math.max(main.l, 0.68) : Math.min(main.l, 0.5)
  while (contrastRatio(shade(main, l), ink) < 7.15 && l > 0 && l < 1) l += step
  return shade(main, l)
}

/** The palest readable text colour: the ink, mixed with as much of the background as its contrast allows. */
function paleInkOn(background: Rgb, ink: Rgb): Rgb {
  for (let share = 0.24; share > 0; share -= 0.04) {
    const pale = mix(ink, background, share)
    if (contrastRatio(pale, background) >= 5) return pale
  }
  return ink
}
