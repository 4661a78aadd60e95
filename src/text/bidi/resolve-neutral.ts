import { pairBrackets } from './brackets.ts'
import { bidi, neutrals } from './classes.ts'
import { directionOf, type RunSequence } from './run-sequences.ts'

const rightwards = bidi.right | bidi.europeanNumber | bidi.arabicNumber

/**
 * Resolves the neutral classes of a run sequence in place (rules N0 to N2).
 * @param original the classes before those of marks were resolved
 */
export function resolveNeutral(
  text: string,
  sequence: RunSequence,
  classes: Uint32Array,
  original: Uint32Array,
): void {
  for (const pair of pairBrackets(text, sequence.offsets, classes)) {
    const direction = pairDirection(pair, sequence, classes)
    if (direction !== 0) for (const at of pair) setWithMarks(at, direction, classes, original)
  }
  resolveRest(sequence, classes)
}

/** The strong class that a class counts as here; 0 when it is neutral. */
function strong(own = 0): number {
  if (own & rightwards) return bidi.right
  return own & bidi.left
}

/** N0: the direction of a pair of brackets, from what is in it and, where that is contrary, before it; 0 when nothing is. */
function pairDirection(
  [open, close]: readonly [number, number],
  { level, before }: RunSequence,
  classes: Uint32Array,
): number {
  const embedding = directionOf(level)
  let isContrary = false
  for (let at = open + 1; at < close; at++) {
    const own = strong(classes[at])
    if (own === embedding) return embedding
    if (own !== 0) isContrary = true
  }
  if (!isContrary) return 0
  for (let at = open - 1; at >= 0; at--) {
    const own = strong(classes[at])
    if (own !== 0) return own
  }
  return before
}

/** A bracket takes the marks on it along. */
function setWithMarks(bracket: number, direction: number, classes: Uint32Array, original: Uint32Array): void {
  classes[bracket] = direction
  for (let at = bracket + 1; (original[at] ?? 0) & bidi.nonspacingMark; at++) classes[at] = direction
}

/** N1 and N2: neutrals take the direction of both their sides, else that of the level. */
function resolveRest({ level, before, after }: RunSequence, classes: Uint32Array): void {
  let last = before
  for (let at = 0; at < classes.length; at++) {
    const own = classes[at] ?? 0
    if ((own & neutrals) === 0) {
      last = strong(own)
      continue
    }
    let end = at
    while ((classes[end] ?? 0) & neutrals) end++
    const next = end < classes.length ? strong(classes[end]) : after
    classes.fill(last === next ? last : directionOf(level), at, end)
    at = end - 1
  }
}
