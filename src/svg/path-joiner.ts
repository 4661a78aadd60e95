import { Bounds } from './box.ts'
import { type PathData, pair } from './path-data.ts'

/** Joins outlines into one path whose commands are all relative. */
export function createPathJoiner() {
  const parts: string[] = []
  const ink = new Bounds()
  let [startX, startY, endX, endY] = [0, 0, 0, 0]
  return {
    /** Adds an outline that is drawn from (x, y). */
    add(path: PathData, x: number, y: number): void {
      const toX = x + path.startX
      const toY = y + path.startY
      if (parts.length === 0) {
        startX = toX
        startY = toY
      } else parts.push(`m${pair(toX - endX, toY - endY)}`)
      parts.push(path.body)
      endX = x + path.endX
      endY = y + path.endY
      ink.addBox(path.ink, x, y)
    },
    /** The `d` of a path element, empty without outlines. */
    finish(): string {
      // Concatenated, not joined: the engine then copies the text once, when the whole document is encoded.
      return parts.length === 0 ? '' : parts.reduce((d, part) => d + part, `m${pair(startX, startY)}`)
    },
    /** Undefined without outlines. */
    joined(): PathData | undefined {
      return parts.length === 0 ? undefined : { body: parts.join(''), startX, startY, endX, endY, ink }
    },
  }
}
