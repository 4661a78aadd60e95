import type { Rgb } from '../../../lib/color.ts'
import { type Accent, readable, shade } from '../accent.ts'
import { filled, wholeCard } from '../background.ts'
import type { Canvas } from '../canvas.ts'
import { drawLayout } from '../layout.ts'
import { circle, rectangle, roundedRectangle } from '../shapes.ts'
import type { CardWords, Theme } from '../theme.ts'

const screen: Rgb = { r: 14, g: 17, b: 22 }
const frame: Rgb = { r: 27, g: 32, b: 40 }
const bright: Rgb = { r: 240, g: 243, b: 246 }
const pale: Rgb = { r: 154, g: 164, b: 175 }

const margin = 128
const widthPx = 944
const barCentreY = 80
const promptY = 530

const styles = {
  title: { family: 'mono', weight: 700, trackingUnits: -10 },
  subtitle: { family: 'mono', weight: 400 },
  author: { family: 'mono', weight: 500 },
  domain: { family: 'mono', weight: 400 },
} as const

const layout = {
  title: {
    sizesPx: [116, 102, 90, 80, 72, 65, 58, 52, 46, 41, 36],
    maxLines: 4,
    leading: 1.18,
    maxHeightPx: 236,
    color: bright,
  },
  subtitle: { sizesPx: [30, 27, 24], maxLines: 2, leading: 1.42, maxWidthPx: 920, color: pale },
} as const

/** Theme: a terminal window in front of hills. */
export const terminal: Theme = {
  flat: true,
  styles,
  prepare(accent) {
    const color = readable({ ...accent.main, l: Math.max(0.74, accent.main.l) }, screen, 7)
    return {
      background: { body: hills(accent) + shadow + window },
      draw: (words, canvas) => draw(words, canvas, color),
    }
  },
}

function draw(words: CardWords, canvas: Canvas, color: Rgb): void {
  drawLayout(words, canvas, { x: margin, y: 138, width: widthPx, height: 352 }, layout)
  if (words.domain !== undefined) {
    const domain = canvas.line('domain', words.domain, 22, 800)
    canvas.label('domain', domain, 200, barCentreY, 800, pale, 'center')
  }
  drawPrompt(words, canvas, color)
}

const chevron = {
  ltr: 'M0 2.2L2.2 0L13 10.5L2.2 21L0 18.8L8.4 10.5z',
  rtl: 'M13 2.2L10.8 0L0 10.5L10.8 21L13 18.8L4.6 10.5z',
}

/** The prompt, with the author as a command that is being typed. Without an author it is empty. */
function drawPrompt(words: CardWords, canvas: Canvas, color: Rgb): void {
  canvas.shape(chevron[canvas.direction], margin, promptY - 10.5, 13, color)
  const textX = margin + 30
  const author =
    words.author === undefined ? undefined : canvas.line('author', words.author, 26, widthPx - 60)
  if (author !== undefined) canvas.label('author', author, textX, promptY, author.widthPx, color)
  const cursorX = textX + (author === undefined ? 0 : author.widthPx + 8)
  canvas.shape(rectangle(0, 0, 14, 31), cursorX, promptY - 15.5, 14, color, 0.85)
}

const window = [
  filled(screen, roundedRectangle(64, 52, 1072, 526, 20)),
  filled(frame, 'M64 108V72a20 20 0 0 1 20-20h1032a20 20 0 0 1 20 20v36z'),
  filled('#ff5f57', circle(100, barCentreY, 8.5)),
  filled('#febc2e', circle(128, barCentreY, 8.5)),
  filled('#28c840', circle(156, barCentreY, 8.5)),
].join('')

/** The window's shadow in two hard steps: a soft one would need a filter. */
const shadow = [18, 9]
  .map((drop) => roundedRectangle(64 - drop / 3, 52 + drop, 1072 + (drop * 2) / 3, 526, 20))
  .map((d) => `<path fill-opacity=".16" d="${d}"/>`)
  .join('')

/** The background: four layers of hills, from the first colour into the second. */
function hills({ main, second }: Accent): string {
  const far = Math.min(0.76, Math.max(0.58, main.l))
  const layers: readonly (readonly [color: Rgb, d: string])[] = [
    [shade(main, far), wholeCard],
    [shade(main, far - 0.07), 'M0 190C220 90 420 60 640 150S1010 250 1200 90V630H0z'],
    [shade(second, far - 0.13), 'M0 380C180 260 380 300 560 390S960 470 1200 260V630H0z'],
    [shade(second, far - 0.2), 'M0 520C260 420 480 560 700 570S1060 540 1200 430V630H0z'],
  ]
  return layers.map(([color, d]) => filled(color, d)).join('')
}
