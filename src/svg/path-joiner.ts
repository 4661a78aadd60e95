import { type PathData, pair } from './path-data.ts'

/** Joins outlines into one path whose commands are all relative. */
export function createPathJoiner(): {
  add(path: PathData, x: number, y: number): void
  finish(): string
  joined(): PathData | undefined
} {
  const parts: string[] = []
  let started = false
  let startX = 0
  let startY = 0
  let penX = 0
  let penY = 0
  let left = Infinity
  let top = Infinity
  let right = -Infinity
  let bottom = -Infinity
  return {
    add(path, x, y) {
      const toX = x + path.startX
      const toY = y + path.startY
      if (!started) {
        started = true
        startX = toX
        startY = toY
        parts.push(path.body)
      } else {
        parts.push(`m${pair(toX - penX, toY - penY)}`, path.body)
      }
      penX = x + path.endX
      penY = y + path.endY
      left = Math.min(left, x + path.ink.left)
      top = Math.min(top, y + path.ink.top)
      right = Math.max(right, x + path.ink.right)
      bottom = Math.max(bottom, y + path.ink.bottom)
    },
    // Concatenated, not joined: the engine then copies the text once, when the whole document is encoded.
    finish: () => (!started ? '' : parts.reduce((whole, part) => whole + part, `m${pair(startX, startY)}`)),
    joined: () =>
      started
        ? { body: parts.join(''), startX, startY, endX: penX, endY: penY, ink: { left, top, right, bottom } }
        : undefined,
  }
}
