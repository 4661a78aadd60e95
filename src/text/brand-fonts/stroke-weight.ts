import type { PathSink } from '../../svg/read-path.ts'
import type { HarfBuzzFont } from '../harfbuzz.ts'

/**
 * Up to which thickness of strokes, as a share of the height of letters, a font looks like this weight: measured of Inter,
 * half-way to the next weight. Ours are not set thinner than regular, whatever stands beside them.
 */
const shares: readonly (readonly [weight: number, most: number])[] = [
  [400, 0.1363],
  [500, 0.1581],
  [600, 0.1794],
  [700, 0.2026],
  [800, 0.2284],
]
const heaviest = 900

const letters = 'nohaesHEOT'

/**
 * The weight that the strokes of a static font look like, so that ours beside it are as bold as it is. What a font says of
 * its weight is for a menu: display faces of one weight call themselves regular. Undefined for a font without letters of
 * these.
 */
export function strokeWeight(font: HarfBuzzFont): number | undefined {
  const share = strokeShare(font)
  if (share === undefined) return undefined
  return shares.find(([, most]) => share <= most)?.[0] ?? heaviest
}

/** A stroke of length l and thickness t has an area of l t and a rim of about 2 l. */
function strokeShare(font: HarfBuzzFont): number | undefined {
  let [area, rim, height, count] = [0, 0, 0, 0]
  for (const letter of letters) {
    const glyph = font.glyphOf(letter.charCodeAt(0))
    const measured = measure(font, glyph)
    if (glyph === 0 || measured.height <= 0) continue
    area += measured.area
    rim += measured.rim
    height += measured.height
    count++
  }
  return count < letters.length / 2 ? undefined : (2 * area) / rim / (height / count)
}

function measure(font: HarfBuzzFont, glyph: number) {
  let [x, y, startX, startY, area, rim] = [0, 0, 0, 0, 0, 0]
  let [bottom, top] = [Infinity, -Infinity]
  function lineTo(toX: number, toY: number) {
    area += (x * toY - toX * y) / 2
    rim += Math.hypot(toX - x, toY - y)
    ;[x, y] = [toX, toY]
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
  }
  const sink: PathSink = {
    moveTo: (toX, toY) => {
      ;[x, y, startX, startY] = [toX, toY, toX, toY]
    },
    lineTo,
    quadraticTo(cx, cy, toX, toY) {
      lineTo((x + 2 * cx + toX) / 4, (y + 2 * cy + toY) / 4)
      lineTo(toX, toY)
    },
    cubicTo(ax, ay, bx, by, toX, toY) {
      lineTo((x + 3 * ax + 3 * bx + toX) / 8, (y + 3 * ay + 3 * by + toY) / 8)
      lineTo(toX, toY)
    },
    close: () => lineTo(startX, startY),
  }
  font.draw(glyph, sink)
  return { area: Math.abs(area), rim, height: top - bottom }
}
