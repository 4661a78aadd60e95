import { closedPath } from '../../../svg/write-path.ts'
import type { CardSize } from '../card-sizes.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import type { Look } from '../theme.ts'
import type { FileColors } from './compile-colors.ts'
import { layoutOf, lengthsOf } from './compile-layout.ts'
import { patterns } from './drawing-patterns.ts'
import type { ThemeContract } from './theme-contract.ts'
import type { DrawnItem, Length, ThemeFile } from './theme-file.ts'

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
