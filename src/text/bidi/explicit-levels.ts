import { bidi, isolateInitiators, removed } from './classes.ts'
import { firstStrongLevel, type IsolatePairs } from './isolates.ts'

const depthMax = 125
const rightwards = bidi.rightEmbedding | bidi.rightOverride | bidi.rightIsolate
const embeddings = bidi.leftEmbedding | bidi.rightEmbedding | bidi.leftOverride | bidi.rightOverride

interface Status {
  readonly level: number
  /** The class that an override gives to everything; 0 without one. */
  readonly override: number
  readonly isIsolate: boolean
}

const formats = embeddings | isolateInitiators | bidi.popIsolate | bidi.popDirection | bidi.paragraphSeparator

/**
 * Explicit levels and directions (rules X1 to X8): writes the level of each character of a paragraph that rule X9 leaves.
 * Returns the classes as overrides change them.
 */
export function setExplicitLevels(
  classes: Uint32Array,
  pairs: IsolatePairs,
  [start, end]: readonly [number, number],
  baseLevel: number,
  levels: Uint8Array,
): Uint32Array {
  levels.fill(baseLevel, start, end)
  if (!classes.some((own) => own & formats)) return classes
  const resolved = classes.slice()
  const stack: Status[] = []
  let top: Status = { level: baseLevel, override: 0, isIsolate: false }
  let isolatesOver = 0
  let embeddingsOver = 0
  let isolates = 0

  function set(at: number): void {
    levels[at] = top.level
    if (top.override !== 0) resolved[at] = top.override
  }

  /** Returns false where that would be too deep. */
  function push(direction: number, isIsolate: boolean): boolean {
    const level = direction & rightwards ? (top.level + 1) | 1 : (top.level + 2) & ~1
    if (level > depthMax || isolatesOver > 0 || embeddingsOver > 0) return false
    stack.push(top)
    top = { level, override: overrideOf(direction), isIsolate }
    return true
  }

  function pop(): void {
    top = stack.pop() ?? top
  }

  function closeIsolate(): void {
    if (isolatesOver > 0) isolatesOver--
    else if (isolates > 0) {
      embeddingsOver = 0
      while (!top.isIsolate) pop()
      pop()
      isolates--
    }
  }

  for (let at = start; at < end; at++) {
    const own = classes[at] ?? 0
    if (own & embeddings) {
      if (!push(own, false) && isolatesOver === 0) embeddingsOver++
    } else if (own & isolateInitiators) {
      set(at)
      if (push(isolateDirection(classes, pairs, at, end), true)) isolates++
      else isolatesOver++
    } else if (own & bidi.popIsolate) {
      closeIsolate()
      set(at)
    } else if (own & bidi.popDirection) {
      if (isolatesOver > 0) continue
      if (embeddingsOver > 0) embeddingsOver--
      else if (!top.isIsolate) pop()
    } else if (own & bidi.paragraphSeparator) continue
    else if ((own & removed) === 0) set(at)
  }
  return resolved
}

function overrideOf(direction: number): number {
  if (direction & bidi.leftOverride) return bidi.left
  return direction & bidi.rightOverride ? bidi.right : 0
}

/** Rule X5c: an isolate may take the direction of its first strong character. */
function isolateDirection(classes: Uint32Array, pairs: IsolatePairs, at: number, end: number): number {
  const own = classes[at] ?? 0
  if ((own & bidi.firstStrongIsolate) === 0) return own
  const level = firstStrongLevel(classes, pairs, at + 1, pairs.get(at) ?? end)
  return level === 1 ? bidi.rightIsolate : bidi.leftIsolate
}
