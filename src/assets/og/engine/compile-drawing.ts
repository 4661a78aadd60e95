import { closedPath } from '../../../svg/write-path.ts'
import type { CardSize } from '../card-sizes.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import type { Look } from '../theme.ts'
import type { FileColors } from './compile-colors.ts'
import { layoutOf, lengthsOf } from './compile-layout.ts'
import type { ThemeContract } from './theme-contract.ts'
import type { DrawnItem, Length, PatternItem, ThemeFile } from './theme-file.ts'

type Drawing = Pick<ThemeContract<FileColors>, 'patterns' | 'background' | 'sheet' | 'isCovered'>

export function drawingOf(file: ThemeFile): Drawing {
  const { logoOn = [], picture } = file
  return {
    patterns: 1,
    background: (look, colors) => ({
      color: colors.background,
      body: filled(colors.background, wholeCard(look.size)) + drawn(file, look.size, look, colors),
      logoBackgrounds: [colors.background, ...logoOn.map(colors.of)],
    }),
    sheet: picture.share,
    isCovered: picture.mayCover ?? false,
  }
}

/** The items of a layout, painted in order. */
function drawn(file: ThemeFile, size: CardSize, look: Look, colors: FileColors): string {
  const layout = layoutOf(file, size, look)
  const { unit, px, x, y } = lengthsOf(layout, size)
  const { widthPx } = size
  function left(at: Length | 'middle', width: number): number {
    if (at === 'middle') return Math.round((widthPx - width) / 2)
    return typeof at === 'number' && at < 0 ? widthPx - px(-at) : x(at)
  }
  function item(given: DrawnItem): string {
    if (given.withLogo === false && look.hasLogo) return ''
    if ('pattern' in given) return patterns[given.pattern](given, size, colors)
    const color = colors.of(given.color)
    if ('rect' in given) {
      const [at, top, width, height] = given.rect
      return filled(color, rectangle(left(at, px(width)), y(top), px(width), px(height)))
    }
    if ('frame' in given) {
      const d = given.frame.map(([inset, stroke]) => outline(inset * unit, stroke * unit, size))
      return filled(color, d.join(''))
    }
    const [dx, dy] = [left(given.at[0], 0), y(given.at[1])]
    // Moved and not transformed, because backgrounds of plain paths are painted by our own filler.
    const moved = closedPath(
      given.path,
      2,
      (px) => dx + px * unit,
      (px) => dy + px * unit,
    )
    return filled(color, moved)
  }
  return (layout.drawing ?? []).map(item).join('')
}

/** Four sides of a frame. */
function outline(inset: number, strokePx: number, { widthPx, heightPx }: CardSize): string {
  const [w, h] = [widthPx - 2 * inset, heightPx - 2 * inset]
  return [
    rectangle(inset, inset, w, strokePx),
    rectangle(inset, inset + h - strokePx, w, strokePx),
    rectangle(inset, inset + strokePx, strokePx, h - 2 * strokePx),
    rectangle(inset + w - strokePx, inset + strokePx, strokePx, h - 2 * strokePx),
  ].join('')
}

type DrawPattern = (item: PatternItem, size: CardSize, colors: FileColors) => string

/** Drawings that numbers cannot say, by the name that theme files have for them. */
const patterns: Readonly<Record<PatternItem['pattern'], DrawPattern>> = {
  /** Fine lines, and every fifth of them. */
  grid: ({ cell = 24, colors: [fine = 'line', strong = fine] = [] }, size, { of }) =>
    filled(of(fine), lines(size, cell)) + filled(of(strong), lines(size, cellsPerBlock * cell)),
  /** Angles in the corners of the drawing, as on a sheet to be cut. */
  corners: ({ inset = 40, length = 34, stroke = 4, colors: [color = 'line'] = [] }, size, { of }) =>
    filled(of(color), corners(size, inset, length, stroke)),
}

const cellsPerBlock = 5

/** Lines whose first ones are off the edges, so that no cell is cut to a sliver. */
function lines({ widthPx, heightPx, unit }: CardSize, cell: number): string {
  const cellPx = cell * unit
  const thickPx = 1
  const [columns, rows] = [Math.ceil(widthPx / cellPx), Math.ceil(heightPx / cellPx)]
  const [left, top] = [
    ((widthPx - (columns - 1) * cellPx) / 2) | 0,
    ((heightPx - (rows - 1) * cellPx) / 2) | 0,
  ]
  return [
    ...Array.from({ length: columns }, (_, index) =>
      rectangle(left + Math.round(index * cellPx), 0, thickPx, heightPx),
    ),
    ...Array.from({ length: rows }, (_, index) =>
      rectangle(0, top + Math.round(index * cellPx), widthPx, thickPx),
    ),
  ].join('')
}

function corners({ widthPx, heightPx, unit }: CardSize, ...lengths: readonly number[]): string {
  const [inset, long, thick] = lengths.map((px) => Math.round(px * unit)) as [number, number, number]
  return [inset, widthPx - inset]
    .flatMap((x, column) =>
      [inset, heightPx - inset].map((y, row) => {
        const [left, top] = [column === 0 ? x : x - long, row === 0 ? y : y - thick]
        const upright = rectangle(column === 0 ? x : x - thick, row === 0 ? y : y - long, thick, long)
        return rectangle(left, top, long, thick) + upright
      }),
    )
    .join('')
}
