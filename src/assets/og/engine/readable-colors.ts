import { contrastRatio, fromOklch, mix, type Rgb, toOklch } from '../../../lib/color.ts'
import { extremes } from '../patterns/pattern.ts'
import type { Area } from '../shapes.ts'
import type { CardColors, Look } from '../theme.ts'
import { colorsOf, type FileColors } from './compile-colors.ts'
import { colorsUnder, painted } from './compile-drawing.ts'
import { boxesOf } from './compile-layout.ts'
import type { Boxes, LabelBox } from './contracts.ts'
import type { ThemeFile } from './theme-file.ts'

/** Contrasts that texts of a theme file keep, with room for rounding. */
const [titleContrast, textContrast] = [7.1, 4.6]

/**
 * The colours of a file, those of texts moved until they can be read on all that may be below them. A background between light and
 * dark is moved for that, and a drawing that is too light and too dark fades into it.
 */
export function readableColors(file: ThemeFile, look: Look): FileColors {
  const colors = colorsOf(file, look)
  const background = readableBackground(colors)
  for (let strength = 1; strength >= 0; strength = Math.round(10 * strength - 1) / 10) {
    const faded = (color: Rgb) => (strength === 1 ? color : mix(background, color, strength))
    const { loud } = colors
    const drawn: FileColors = {
      ...colors,
      background,
      strength,
      of: (name) => (name === 'background' ? background : faded(colors.of(name))),
      loud: loud?.map(faded),
    }
    const moved = movedInks(file, look, drawn)
    if (moved !== undefined) return moved
  }
  return movedInks({ ...file, background: [] }, look, { ...colors, background }) ?? colors
}

/** The nearest background, away from the ink, on which a title can be read. */
function readableBackground({ background, ink, scheme }: FileColors): Rgb {
  const { l, c, h } = toOklch(background)
  const away = scheme === 'light' ? 0.02 : -0.02
  let moved = background
  for (let step = 1; step <= 50 && readableOn(ink, [moved], titleContrast) === undefined; step++)
    moved = fromOklch({ l: l + step * away, c, h })
  return moved
}

function movedInks(file: ThemeFile, look: Look, colors: FileColors): FileColors | undefined {
  const { size, brandBackground } = look
  const boxes = boxesOf(file, size, look)
  const all = painted(file, { size, look, colors, boxes })
  const whole = { x: 0, y: 0, width: size.widthPx, height: size.heightPx }
  /** A picture moves texts. */
  function under(area: Area): readonly Rgb[] {
    return extremes(colorsUnder(all, colors.background, brandBackground?.picture ? whole : area))
  }
  const { top, bottom, x, widthPx: width } = boxes.text
  const areas = {
    block: under({ x, y: top, width, height: bottom - top }),
    head: under(rowOf(boxes, 'head')),
    foot: under(rowOf(boxes, 'foot')),
  }
  function ofLabel(color: Rgb, { row, ornament }: LabelBox): Rgb | undefined {
    const below = ornament.facePx === undefined ? areas[row] : [colors.mark]
    return readableOn(color, below, textContrast)
  }
  const moved = {
    ink: readableOn(colors.ink, areas.block, titleContrast),
    paleInk: readableOn(colors.paleInk, areas.block, textContrast),
    eyebrow: readableOn(colors.eyebrow, areas.block, textContrast),
    author: ofLabel(colors.author, boxes.author),
    domain: ofLabel(colors.domain, boxes.domain),
    footer: ofLabel(colors.footer, boxes.footer),
    onMark: readableOn(colors.onMark, [colors.mark], textContrast),
  } satisfies Partial<Record<keyof CardColors, Rgb | undefined>>
  return Object.values(moved).includes(undefined) ? undefined : { ...colors, ...(moved as FileColors) }
}

/** The nearest lightness at which a colour has its contrast with all others; undefined where there is none. */
function readableOn(color: Rgb, others: readonly Rgb[], contrast: number): Rgb | undefined {
  const { l, c, h } = toOklch(color)
  const steps = 100
  for (let step = 0; step <= steps; step++)
    for (const lightness of step === 0 ? [l] : [l - step / steps, l + step / steps]) {
      if (lightness < -1 / steps || lightness > 1 + 1 / steps) continue
      const moved = step === 0 ? color : fromOklch({ l: lightness, c, h })
      if (others.every((other) => contrastRatio(moved, other) >= contrast)) return moved
    }
  return undefined
}

function rowOf(boxes: Boxes, name: 'head' | 'foot'): Area {
  const { x, widthPx: width, centreY } = boxes[name]
  const height = 40 * boxes.unit
  return { x, y: centreY - height / 2, width, height }
}
