import { createPathWriter, type PathWriter } from '../svg/path-writer.ts'

/** Writes a glyph's outline on the grid of 1/1000 em. A font's y points up, that of path data down. */
export function createGlyphPen(): PathWriter {
  const writer = createPathWriter({ smoothWithin: 2, flatWithin: 0 })
  return {
    moveTo: (x, y) => writer.moveTo(across(x), down(y)),
    lineTo: (x, y) => writer.lineTo(across(x), down(y)),
    quadraticTo: (cx, cy, x, y) => writer.quadraticTo(across(cx), down(cy), across(x), down(y)),
    cubicTo: (ax, ay, bx, by, x, y) =>
      writer.cubicTo(across(ax), down(ay), across(bx), down(by), across(x), down(y)),
    close: writer.close,
    finish: writer.finish,
  }
}

/** Adding 0 turns a negative zero into a plain one. */
function across(x: number): number {
  return Math.round(x) + 0
}

function down(y: number): number {
  return 0 - Math.round(y)
}
