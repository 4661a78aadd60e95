import { contrastRatio, mix } from '../../../lib/color.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import { holds } from '../engine/compile-layout.ts'
import type { DrawnItem } from '../engine/theme-file.ts'
import { bestBackground, logoInk } from '../logo/logo-paint.ts'
import { type Area, facing } from '../shapes.ts'
import type { CardSize, Look } from '../theme.ts'
import tables from '../tile-pattern.json' with { type: 'json' }
import { loudColors, type PatternArea, tilePattern } from '../tile-pattern.ts'
import type { Pattern } from './pattern.ts'

/** Geometric figures in square cells along an edge, or along both sides. A logo stands on a tile of its own. */
const paint: Pattern = (item, { size, look: { accent, pattern }, colors }) => {
  const { background, of, strength } = colors
  const faded = loudColors.slice(0, 2).map((color) => mix(background, color, strength))
  const loud = colors.loud ?? (strength < 1 ? faded : undefined)
  const own = { background, deep: of('deep'), dark: of('dark'), pale: of('cream') }
  const palette = { ...own, ...(loud && { loud }) }
  const area = cellsOf(item, size)
  const figures = tilePattern(accent.key, pattern, palette, area)
  const isTwice = item.place === 'sides'
  const { x, y, width, height } = areaOf(area)
  return {
    body: isTwice ? figures + facing('rtl', size.widthPx, figures) : figures,
    under: (at, below) =>
      at.x < x + width && at.x + at.width > x && at.y < y + height && at.y + at.height > y
        ? [...below, ...Object.values(own), ...(loud ?? loudColors)]
        : below,
  }
}

/** A picture takes one more row or column of cells where there is one. */
function cellsOf(
  { place = 'end', cells = 6, depth = 3 }: DrawnItem,
  { widthPx, heightPx }: CardSize,
  more = 0,
): PatternArea {
  const isUpright = place === 'end' || place === 'sides'
  const sidePx = (isUpright ? heightPx : widthPx) / cells
  const deep = depth < 1 ? Math.max(1, Math.round((heightPx * depth) / sidePx)) : Math.round(depth) + more
  const [columns, rows] = isUpright ? [deep, cells] : [cells, deep]
  const x = place === 'end' ? widthPx - columns * sidePx : 0
  return { x, y: place === 'foot' ? heightPx - rows * sidePx : 0, columns, rows, sidePx }
}

function areaOf({ x, y, columns, rows, sidePx }: PatternArea): Area {
  return { x, y, width: columns * sidePx, height: rows * sidePx }
}

/** The logo on a tile of its own in the last corner of the pattern, on the first of its colours that suits. */
function tileFor(item: DrawnItem, logo: CardLogo, colors: FileColors, look: Look) {
  const { background, ink, of } = colors
  const { size, align, brandBackground } = look
  const { left, top, right, bottom } = logoInk(logo)
  const aspect = (right - left) / (bottom - top)
  const isHanging = item.place === 'sides'
  const isCentred = align === 'center'
  const pattern = cellsOf(item, size, brandBackground?.picture === undefined ? 0 : 1)
  // A square logo, a wide one, or a line of letters.
  const form = aspect < 1.5 ? 'square' : aspect < 3 ? 'wide' : 'line'
  const [wanted = 1, high = 1] = tables.logoCells[size.shape][form]
  const rows = isHanging ? 1 : Math.min(high, pattern.rows)
  // In the middle of a band of cells a tile has as many columns as leave equal numbers beside it.
  const many = isHanging ? wanted - 1 || 1 : isCentred ? wanted + ((pattern.columns - wanted) % 2) : wanted
  const columns = isHanging ? many : Math.max(1, Math.min(many, pattern.columns))
  const [width, height] = [columns * pattern.sidePx, rows * pattern.sidePx]
  const x = isCentred ? (size.widthPx - width) / 2 : pattern.x + pattern.columns * pattern.sidePx - width
  const y = isHanging ? 0 : pattern.y + pattern.rows * pattern.sidePx - height
  const dark = of('dark')
  const color = bestBackground(logo, [of('cream'), background, dark])
  const [insetX, insetY] = [width * 0.16, height * 0.2]
  return {
    area: {
      x: x + insetX,
      y: y + (isHanging ? 1.5 : 1) * insetY,
      width: width - 2 * insetX,
      height: height - 2 * insetY - (isHanging ? 0.5 * insetY : 0),
    },
    sidePx: Math.min(width, height) * 0.54,
    backgrounds: [color],
    // A little more than its cells, so that none of their colour shows along the edges.
    tile: { area: { x: x - 1, y: y - 1, width: width + 1, height: height + 1 }, color },
    ink: contrastRatio(dark, color) > contrastRatio(ink, color) ? dark : ink,
  }
}

/** A picture has the place of the tiles, which reach three of the card's edges, and a logo the last of them. */
function withTiles(items: readonly DrawnItem[]) {
  function itemFor(look: Look): DrawnItem | undefined {
    return items.find((item) => holds(item, look.size, look))
  }
  return {
    inPlace(look: Look): Area | undefined {
      const item = itemFor(look)
      return item && areaOf(cellsOf(item, look.size, 1))
    },
    tile(logo: CardLogo, colors: FileColors, look: Look) {
      const item = itemFor(look)
      return item && tileFor(item, logo, colors, look)
    },
  }
}

export const tiles = { paint, withTiles }
