import { bidi, isolateInitiators } from './classes.ts'

const { left, right, arabicLetter, europeanNumber, arabicNumber, europeanTerminator, otherNeutral } = bidi
const separators = bidi.europeanSeparator | bidi.commonSeparator
const numbers = europeanNumber | arabicNumber

/**
 * Resolves the weak classes of a run sequence in place (rules W1 to W7): only left, right, numbers and neutrals are left.
 * @param before the class before the first
 */
export function resolveWeak(classes: Uint32Array, before: number): void {
  resolveMarksAndLetters(classes, before)
  resolveSeparators(classes)
  resolveTerminators(classes)
  resolveNumbers(classes, before)
}

/** W1 to W3: marks are what they stand on; numbers after Arabic letters are Arabic; these are right-to-left. */
function resolveMarksAndLetters(classes: Uint32Array, before: number): void {
  let last = before
  let strong = before
  for (let at = 0; at < classes.length; at++) {
    let own = classes[at] ?? 0
    if (own & bidi.nonspacingMark) own = last & (isolateInitiators | bidi.popIsolate) ? otherNeutral : last
    last = own
    if (own & (left | right | arabicLetter)) strong = own
    if (own & europeanNumber && strong === arabicLetter) own = arabicNumber
    classes[at] = own === arabicLetter ? right : own
  }
}

/** W4: one separator between two numbers of a kind belongs to them. */
function resolveSeparators(classes: Uint32Array): void {
  for (let at = 1; at + 1 < classes.length; at++) {
    const own = classes[at] ?? 0
    const around = classes[at - 1] ?? 0
    if ((own & separators) === 0 || around !== classes[at + 1]) continue
    if (around & (own & bidi.commonSeparator ? numbers : europeanNumber)) classes[at] = around
  }
}

/** W5 and W6: terminators beside European numbers belong to them; what is left is neutral. */
function resolveTerminators(classes: Uint32Array): void {
  for (let at = 0; at < classes.length; at++) {
    const own = classes[at] ?? 0
    if (own & separators) classes[at] = otherNeutral
    if ((own & europeanTerminator) === 0) continue
    let end = at
    while ((classes[end] ?? 0) & europeanTerminator) end++
    const isOfNumber = (classes[at - 1] ?? 0) === europeanNumber || classes[end] === europeanNumber
    classes.fill(isOfNumber ? europeanNumber : otherNeutral, at, end)
    at = end - 1
  }
}

/** W7: European numbers after left-to-right letters behave as these. */
function resolveNumbers(classes: Uint32Array, before: number): void {
  let strong = before
  for (let at = 0; at < classes.length; at++) {
    const own = classes[at] ?? 0
    if (own & (left | right)) strong = own
    else if (own & europeanNumber && strong === left) classes[at] = left
  }
}
