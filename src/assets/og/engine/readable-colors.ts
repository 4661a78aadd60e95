import { contrastRatio, fromOklch, type Rgb, toOklch } from '../../../lib/color.ts'
import type { Area } from '../shapes.ts'
import type { CardColors, Look } from '../theme.ts'
import { colorsOf, type FileColors } from './compile-colors.ts'
import { colorsUnder, extremes, painted } from './compile-drawing.ts'
import { boxesOf, holds } from './compile-layout.ts'
import type { Boxes, LabelBox } from './theme-contract.ts'
import type { ThemeFile } from './theme-file.ts'

/** Contrasts that texts of a theme file keep, with room for rounding. */
const [titleContrast, textContrast] = [7.1, 4.6]

/**
 * The colours of a file, those of texts moved until they can be read on all that may be below them. Where the drawing is too light
 * and too dark for that it is made paler, and a background between light and dark is moved too.
 */
export function readableColors(file: ThemeFile, look: Look): FileColors {
  const colors = colorsOf(file, look)
  const away = colors.scheme === 'light' ? 1 : -1
  for (let move = 0; move <= 1; move += 0.02) {
    const { l, c, h } = toOklch(colors.background)
    const background = move === 0 ? colors.background : fromOklch({ l: l + away * move, c, h })
    const of: FileColors['of'] = (name) => (name === 'background' ? background : colors.of(name))
    for (let step = 0; step <= 10; step += move === 0 ? 1 : 10) {
      const moved = movedInks(file, look, { ...colors, background, of, strength: 1 - step / 10 })
      if (moved !== undefined) return moved
    }
  }
  return colors
}

function movedInks(file: ThemeFile, look: Look, colors: FileColors): FileColors | undefined {
  const { size, brandBackground } = look
  const boxes = boxesOf(file, size, look)
  const items = (file.background ?? []).filter((item) => holds(item, size, look))
  const all = painted(file, items, { size, look, colors, boxes })
  const whole = { x: 0, y: 0, width: size.widthPx, height: size.heightPx }
  /** A picture moves texts. */
  function under(area: Area): readonly Rgb[] {
    return extremes(colorsUnder(all, colors.background, brandBackground?.picture ? whole : area))
  }
  const areas = {
    block: under(blockOf(boxes)),
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
    author: ofLabel(colors.author, boxes.byline),
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

function blockOf({ content, text }: Boxes): Area {
  const { top, bottom, x = content.x, widthPx = content.width } = text
  return { x, y: top, width: widthPx, height: bottom - top }
}

function rowOf({ content, unit, ...boxes }: Boxes, name: 'head' | 'foot'): Area {
  const { x = content.x, widthPx = content.width, centreY } = boxes[name]
  const heightPx = 40 * unit
  return { x, y: centreY - heightPx / 2, width: widthPx, height: heightPx }
}
