import { Bounds, type Box } from './box.ts'

/** An outline on the integer grid of 1/1000 em, y down, that can be joined to others without being parsed. */
export interface PathData {
  /** Relative commands without the first `m`. */
  readonly body: string
  /** Where the first subpath starts and where the pen stands at the end, from the origin. */
  readonly startX: number
  readonly startY: number
  readonly endX: number
  readonly endY: number
  /** Of end points and control points: never smaller than what is painted. */
  readonly ink: Box
}

/** The `d` of a path element, drawn from the origin. */
export function pathString(path: PathData): string {
  return `m${pair(path.startX, path.startY)}${path.body}`
}

/** Two numbers as path data: a minus sign separates as well as a space does. */
export function pair(x: number, y: number): string {
  return y < 0 ? `${x}${y}` : `${x} ${y}`
}

/**
 * Joins outlines into one path whose commands are all relative. The text grows by concatenation: the engine copies it once,
 * when the whole document is encoded.
 */
export function createPathJoiner() {
  const ink = new Bounds()
  let body = ''
  let isEmpty = true
  let [startX, startY, endX, endY] = [0, 0, 0, 0]
  return {
    /** Adds an outline that is drawn from (x, y). */
    add(path: PathData, x: number, y: number): void {
      const toX = x + path.startX
      const toY = y + path.startY
      if (isEmpty) {
        startX = toX
        startY = toY
        body = path.body
        isEmpty = false
      } else {
        const dy = toY - endY
        body += dy < 0 ? `m${toX - endX}${dy}` : `m${toX - endX} ${dy}`
        body += path.body
      }
      endX = x + path.endX
      endY = y + path.endY
      ink.addBox(path.ink, x, y)
    },
    /** The `d` of a path element, empty without outlines. */
    finish: (): string => (isEmpty ? '' : `m${pair(startX, startY)}${body}`),
    /** Undefined without outlines. The text is one piece, because it is kept. */
    joined(): PathData | undefined {
      return isEmpty ? undefined : { body: flat(body), startX, startY, endX, endY, ink }
    },
  }
}

/** The same text without the pieces that it grew from. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
