import { bidi, bidiClasses, isFirstHalf, isolateInitiators, removed } from './classes.ts'
import { setExplicitLevels } from './explicit-levels.ts'
import { firstStrongLevel, pairIsolates } from './isolates.ts'
import { resolveNeutral } from './resolve-neutral.ts'
import { resolveWeak } from './resolve-weak.ts'
import { type RunSequence, runSequences } from './run-sequences.ts'

const separators = bidi.segmentSeparator | bidi.paragraphSeparator
/** Classes that take the level of the paragraph before a separator and at the end (rule L1). */
const trailing = bidi.whitespace | separators | isolateInitiators | bidi.popIsolate | removed

/** The level of the first paragraph of a text: 1 when its first strong character is right-to-left. */
export function paragraphLevel(text: string): 0 | 1 {
  const classes = bidiClasses(text)
  const end = paragraphEnd(classes, 0)
  return firstStrongLevel(classes, pairIsolates(classes, 0, end), 0, end)
}

/** The embedding level of every UTF-16 unit (UAX 9), as on one line. What rule X9 removes has that of the unit before. */
export function resolveLevels(text: string, baseLevel: 0 | 1): Uint8Array {
  const classes = bidiClasses(text)
  const levels = new Uint8Array(text.length)
  for (let start = 0; start < text.length; ) {
    const end = paragraphEnd(classes, start)
    resolveParagraph(text, classes, [start, end], baseLevel, levels)
    start = end
  }
  return levels
}

/** Behind the separator that ends the paragraph. */
function paragraphEnd(classes: Uint32Array, start: number): number {
  let end = start
  while (end < classes.length) if ((classes[end++] ?? 0) & bidi.paragraphSeparator) break
  return end
}

function resolveParagraph(
  text: string,
  classes: Uint32Array,
  [start, end]: readonly [number, number],
  baseLevel: number,
  levels: Uint8Array,
): void {
  const kept: number[] = []
  for (let at = start; at < end; at++) {
    if (((classes[at] ?? 0) & removed) === 0) kept.push(at)
    // The second half of a pair goes with the first.
    if (isFirstHalf(text, at)) at++
  }
  const pairs = pairIsolates(classes, start, end)
  const resolved = setExplicitLevels(classes, pairs, [start, end], baseLevel, levels)
  for (const sequence of runSequences(kept, classes, levels, pairs, baseLevel))
    resolveSequence(text, sequence, resolved, levels)
  for (let at = start, next = 0; at < end; at++) {
    if (kept[next] === at) next++
    else levels[at] = at === start ? baseLevel : (levels[at - 1] ?? 0)
    if (at + 1 < end && ((classes[at] ?? 0) & separators) === 0) continue
    for (let back = at; back >= start && (classes[back] ?? 0) & trailing; back--) levels[back] = baseLevel
  }
}

function resolveSequence(
  text: string,
  sequence: RunSequence,
  classes: Uint32Array,
  levels: Uint8Array,
): void {
  const { offsets, level, before } = sequence
  const original = new Uint32Array(offsets.length)
  for (let at = 0; at < offsets.length; at++) original[at] = classes[offsets[at] ?? 0] ?? 0
  const resolved = original.slice()
  resolveWeak(resolved, before)
  resolveNeutral(text, sequence, resolved, original)
  for (let at = 0; at < offsets.length; at++)
    levels[offsets[at] ?? 0] = implicitLevel(level, resolved[at] ?? 0)
}

/** Rules I1 and I2. */
function implicitLevel(level: number, own: number): number {
  if (level % 2 === 1) return own & bidi.right ? level : level + 1
  if (own & bidi.left) return level
  return own & bidi.right ? level + 1 : level + 2
}
