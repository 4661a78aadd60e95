import { bidi, isolateInitiators } from './classes.ts'

/** The other end of each isolate that has both ends, by the offset of either (definition BD9). */
export type IsolatePairs = ReadonlyMap<number, number>

const none: IsolatePairs = new Map()

/** Pairs the isolates of a paragraph from `start` to `end`. */
export function pairIsolates(classes: Uint32Array, start: number, end: number): IsolatePairs {
  const open: number[] = []
  let pairs: Map<number, number> | undefined
  for (let at = start; at < end; at++) {
    const own = classes[at] ?? 0
    if (own & isolateInitiators) open.push(at)
    else if (own & bidi.popIsolate) {
      const initiator = open.pop()
      if (initiator !== undefined) pairs = (pairs ?? new Map()).set(initiator, at).set(at, initiator)
    }
  }
  return pairs ?? none
}

/** The level that the first strong character outside of isolates asks for (rules P2 and P3); 0 when there is none. */
export function firstStrongLevel(
  classes: Uint32Array,
  pairs: IsolatePairs,
  start: number,
  end: number,
): 0 | 1 {
  for (let at = start; at < end; at++) {
    const own = classes[at] ?? 0
    if (own & bidi.left) return 0
    if (own & (bidi.right | bidi.arabicLetter)) return 1
    if (own & isolateInitiators) at = pairs.get(at) ?? end
  }
  return 0
}
