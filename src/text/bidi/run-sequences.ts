import { bidi, isolateInitiators } from './classes.ts'
import type { IsolatePairs } from './isolates.ts'

/** Characters of one level that are resolved together: isolates between them count as one neutral (definition BD13). */
export interface RunSequence {
  readonly offsets: readonly number[]
  readonly level: number
  /** The class that stands before the first and after the last character: left or right. */
  readonly before: number
  readonly after: number
}

/**
 * The isolating run sequences of a paragraph (rule X10).
 * @param kept offsets of the characters that rule X9 leaves
 */
export function runSequences(
  kept: readonly number[],
  classes: Uint32Array,
  levels: Uint8Array,
  pairs: IsolatePairs,
  baseLevel: number,
): RunSequence[] {
  const runs: Run[] = []
  const runOf = new Map<number, Run>()
  let run: Run | undefined
  let levelBefore = baseLevel
  for (let index = 0; index < kept.length; index++) {
    const at = kept[index] ?? 0
    const level = levels[at] ?? 0
    const own = classes[at] ?? 0
    const resumed = own & bidi.popIsolate ? runOf.get(pairs.get(at) ?? at) : undefined
    if (resumed !== undefined) run = resumed
    else if (run === undefined || level !== levelBefore) {
      run = { offsets: [], level, levelBefore, levelAfter: baseLevel }
      runs.push(run)
    }
    run.offsets.push(at)
    run.levelAfter = levels[kept[index + 1] ?? -1] ?? baseLevel
    if (own & isolateInitiators) {
      runOf.set(at, run)
      if (!pairs.has(at)) run.levelAfter = baseLevel
    }
    levelBefore = level
  }
  return runs.map(({ offsets, level, levelBefore, levelAfter }) => ({
    offsets,
    level,
    before: directionOf(Math.max(level, levelBefore)),
    after: directionOf(Math.max(level, levelAfter)),
  }))
}

interface Run {
  readonly offsets: number[]
  readonly level: number
  readonly levelBefore: number
  levelAfter: number
}

/** The strong class of a level. */
export function directionOf(level: number): number {
  return level % 2 === 1 ? bidi.right : bidi.left
}
