import { Bounds, type Box } from './box.ts'
import { drawable } from './svg-number.ts'

/** An outline on the integer grid of 1/1000 em, y down, that can be joined to others without being parsed. */
export interface PathData {
  /** Relative commands without the first `m`. */
  readonly body: string
  /** Where the first subpath starts and where the pen stands at the end, from the origin. */
  readonly startX: number
  readonly startY: number
  readonly endX: number
  readonly endY: number
  /** Bounds of end points and control points: never smaller than what is painted. */
  readonly ink: Box
}

/** The `d` of a path element, drawn from the origin. */
export function pathString(path: PathData): string {
  return `m${pair(path.startX, path.startY)}${path.body}`
}

/** Two numbers as path data: a minus sign separates as well as a space does. */
export function pair(x: number, y: number): string {
  const [first, second] = [drawable(x), drawable(y)]
  return second < 0 ? `${first}${second}` : `${first} ${second}`
}

/** Joins outlines into one path whose commands are all relative. */
export class PathJoiner {
  private d = ''
  private penX = 0
  private penY = 0

  /** Adds an outline that is drawn from (x, y). */
  add({ body, startX, startY, endX, endY }: PathData, x: number, y: number): void {
    const dx = drawable(x + startX - this.penX)
    const dy = drawable(y + startY - this.penY)
    // The text grows by concatenation: the engine copies it once, when the whole document is encoded.
    this.d += dy < 0 ? `m${dx}${dy}${body}` : `m${dx} ${dy}${body}`
    this.penX = x + endX
    this.penY = y + endY
  }

  /** The `d` of a path element, empty without outlines. */
  finish(): string {
    return this.d
  }
}

/** Joins outlines into one that is kept. */
export class OutlineJoiner {
  // An array, because a string that grows by concatenation keeps all its pieces in memory.
  private readonly pieces: string[] = []
  private readonly ink = new Bounds()
  private startX = 0
  private startY = 0
  private endX = 0
  private endY = 0

  /** Adds an outline that is drawn from (x, y). */
  add(path: PathData, x: number, y: number): void {
    const toX = x + path.startX
    const toY = y + path.startY
    if (this.pieces.length === 0) {
      this.startX = toX
      this.startY = toY
    } else this.pieces.push(`m${pair(toX - this.endX, toY - this.endY)}`)
    this.pieces.push(path.body)
    this.endX = x + path.endX
    this.endY = y + path.endY
    this.ink.addBox(path.ink, x, y)
  }

  /** Undefined without outlines. */
  finish(): PathData | undefined {
    const { pieces, startX, startY, endX, endY, ink } = this
    if (pieces.length === 0) return undefined
    return { body: pieces.join(''), startX, startY, endX, endY, ink }
  }
}
