import { pathString } from './path-data.ts'
import { mappedSink } from './path-sink.ts'
import { PathWriter } from './path-writer.ts'
import { readPath } from './read-path.ts'

/**
 * Shortens path data. Points go to a grid of `step` units, and the result counts in steps. Curves that are flat on that
 * grid become lines.
 * @throws RangeError when `d` is not path data.
 */
export function compactPath(d: string, step: number): string {
  const writer = new PathWriter({ smoothWithin: 1, flatWithin: 1 })
  // Adding 0 turns a negative zero into a plain one.
  readPath(
    d,
    mappedSink(writer, (value) => Math.round(value / step) + 0),
  )
  const path = writer.finish()
  return path === undefined ? '' : pathString(path)
}
