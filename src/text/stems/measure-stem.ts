import type { PathSink } from '../../svg/read-path.ts'
import type { HarfBuzzFont } from '../harfbuzz.ts'

/** Letters with an upright stroke at their right, which nothing crosses between `shares` of their height. */
export const stemLetters = Array.from('이十\u09BE\u0A3E\u093E\u0ABEாาາ\u17B6וاიիlн')
const shares = [0.3, 0.35, 0.4]

/** The thickness of the upright stroke of a letter, in 1/1000 em; undefined where the font has none. */
export function measureStem(font: HarfBuzzFont, letter: string): number | undefined {
  const glyph = font.glyphOf(letter.codePointAt(0) ?? 0)
  const edges = glyph === 0 ? [] : edgesOf(font, glyph)
  const [bottom, top] = heightsOf(edges)
  const widths = shares.flatMap((share) => strokeAt(edges, bottom + share * (top - bottom)) ?? [])
  return widths.sort((a, b) => a - b)[widths.length >> 1]
}

type Edge = readonly [x1: number, y1: number, x2: number, y2: number]

function edgesOf(font: HarfBuzzFont, glyph: number): readonly Edge[] {
  const edges: Edge[] = []
  let [x, y, startX, startY] = [0, 0, 0, 0]
  function lineTo(toX: number, toY: number) {
    edges.push([x, y, toX, toY])
    ;[x, y] = [toX, toY]
  }
  function curve(at: (t: number) => readonly [number, number]) {
    for (let step = 1; step <= 16; step++) lineTo(...at(step / 16))
  }
  const sink: PathSink = {
    moveTo: (toX, toY) => {
      ;[x, y, startX, startY] = [toX, toY, toX, toY]
    },
    lineTo,
    quadraticTo(cx, cy, toX, toY) {
      const [fromX, fromY] = [x, y]
      curve((t) => {
        const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
        return [a * fromX + b * cx + c * toX, a * fromY + b * cy + c * toY]
      })
    },
    cubicTo(ax, ay, bx, by, toX, toY) {
      const [fromX, fromY] = [x, y]
      curve((t) => {
        const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
        return [a * fromX + b * ax + c * bx + d * toX, a * fromY + b * ay + c * by + d * toY]
      })
    },
    close: () => lineTo(startX, startY),
  }
  font.draw(glyph, sink)
  return edges
}

function heightsOf(edges: readonly Edge[]): readonly [bottom: number, top: number] {
  const heights = edges.flatMap(([, from, , to]) => [from, to])
  return [Math.min(...heights), Math.max(...heights)]
}

/** The width of the stroke furthest to the right at a height, by the non-zero rule. */
function strokeAt(edges: readonly Edge[], height: number): number | undefined {
  const crossings = edges.flatMap(([x1, y1, x2, y2]) =>
    y1 <= height !== y2 <= height
      ? [{ x: x1 + ((height - y1) / (y2 - y1)) * (x2 - x1), turn: y2 > y1 ? 1 : -1 }]
      : [],
  )
  let turns = 0
  let end: number | undefined
  for (const { x, turn } of crossings.sort((a, b) => b.x - a.x)) {
    if (turns === 0) end = x
    turns += turn
    if (turns === 0 && end !== undefined) return end - x
  }
  return undefined
}
