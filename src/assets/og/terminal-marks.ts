import type { Canvas } from './canvas.ts'
import type { Ornament } from './engine/ornaments.ts'
import type { Boxes } from './engine/theme-contract.ts'
import type { CardTexts } from './theme.ts'

const promptPx = 30

/** The folder that a shell would be in: the first part of the path, else the name before a domain of three parts. */
function folderOf({ domain = '' }: CardTexts): string {
  const [host = '', folder] = domain.split('/')
  const names = host.split('.')
  const name = folder ?? (names.length > 2 ? names[0] : undefined)
  return name === undefined || !/^[\w-]{1,24}$/.test(name) ? '~' : `~/${name}`
}

/** `~/docs $` before the eyebrow, and without one too. */
export const prompt: Ornament = {
  indentPx: (texts, canvas, unit) => signOf(texts, canvas, unit).widthPx + 22 * unit,
  draw(canvas, texts, { rule }, { x, centreY, unit }) {
    const sign = signOf(texts, canvas, unit)
    canvas.label('eyebrow', sign, x, centreY, sign.widthPx, rule)
  },
}

function signOf(texts: CardTexts, canvas: Canvas, unit: number) {
  return canvas.line('eyebrow', `${folderOf(texts)} $`, Math.round(promptPx * unit), Number.MAX_SAFE_INTEGER)
}

/** The author in a slanted block at the start of the status bar, which is `heightPx` high. */
export function slab(height: number): Ornament {
  return {
    indentPx: (_texts, _canvas, unit) => Math.round(30 * unit),
    trail: 26,
    draw(canvas, _texts, { mark }, { x, centreY, unit, textPx }) {
      const [heightPx, radius, slant] = [
        Math.round(height * unit),
        Math.round(20 * unit),
        Math.round(22 * unit),
      ]
      const widthPx = Math.round(56 * unit + textPx)
      const d =
        canvas.direction === 'ltr'
          ? `M0 0H${widthPx}L${widthPx - slant} ${heightPx}H${radius}a${radius} ${radius} 0 0 1 -${radius} -${radius}z`
          : `M0 0H${widthPx}V${heightPx - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}H${slant}z`
      canvas.shape(d, x, centreY - heightPx / 2, widthPx, mark)
    },
  }
}

const tilde = 'M0 7C3-1 7-1 11 4S19 9 22 1V5C19 13 15 12 11 8S3 3 0 11z'

/** A cursor behind the title, and the signs of an editor on the lines that stay empty above `bottom`. */
export function cursorAndEmptyLines(bottomMax: number): NonNullable<Boxes['finish']> {
  return (canvas, { title, area, bottom }, { mark, rule }) => {
    const line = title.lines.at(-1)
    const { sizePx } = title
    const widthPx = Math.round(sizePx * 0.54)
    const x = area.x + (line?.widthPx ?? 0) + Math.round(sizePx * 0.08)
    const fitsBehind = x + widthPx <= area.x + area.width && title.direction === canvas.direction
    if (line !== undefined && fitsBehind) {
      const heightPx = Math.round(sizePx * 0.98)
      const y = area.y + line.baselinePx - Math.round(sizePx * 0.81)
      canvas.shape(`M0 0H${widthPx}V${heightPx}H0z`, x, y, widthPx, mark)
    }
    const stepPx = 62
    for (let y = bottom + stepPx; y + 14 < bottomMax; y += stepPx)
      canvas.shape(tilde, area.x, y, 22, rule, 0.35)
  }
}
