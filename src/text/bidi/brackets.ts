import { bracketPairs } from './classes.generated.ts'
import { bidi } from './classes.ts'

/** Maps both brackets of a pair to the closing one, in its canonical form. */
const closerOf = new Map<string, string>()
const openers = new Set<string>()
for (let at = 0; at < bracketPairs.length; at += 2) {
  const [open = '', close = ''] = bracketPairs.slice(at, at + 2)
  openers.add(open)
  closerOf.set(open, close.normalize('NFC')).set(close, close.normalize('NFC'))
}

/** More brackets than so many in each other end the search. */
const depthMax = 63

/** The bracket pairs of a run sequence by their places in it, by that of the opening one (definition BD16). */
export function pairBrackets(
  text: string,
  offsets: readonly number[],
  classes: Uint32Array,
): (readonly [open: number, close: number])[] {
  const pairs: (readonly [number, number])[] = []
  const open: { readonly closer: string; readonly at: number }[] = []
  for (let at = 0; at < offsets.length; at++) {
    // A bracket that an override changed is none.
    if (((classes[at] ?? 0) & bidi.otherNeutral) === 0) continue
    const character = text[offsets[at] ?? 0] ?? ''
    const closer = closerOf.get(character)
    if (closer === undefined) continue
    if (openers.has(character)) {
      if (open.length === depthMax) break
      open.push({ closer, at })
      continue
    }
    const found = open.findLastIndex((bracket) => bracket.closer === closer)
    const opening = open[found]
    if (opening === undefined) continue
    pairs.push([opening.at, at])
    open.length = found
  }
  return pairs.sort(([a], [b]) => a - b)
}
