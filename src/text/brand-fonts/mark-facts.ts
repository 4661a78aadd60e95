import { createMarkJudge } from '../coverage/mark-judge.ts'
import type { HarfBuzzFont } from '../harfbuzz.ts'
import { isWordLetter } from '../word-letters.ts'
import { writeRanges } from './code-ranges.ts'
import { type FontFacts, isGeneralMark } from './font-facts.ts'

/** Pairs of letter and mark that are tried, the usual letters first; a mark counts as lacking on every other letter. */
const pairsMax = 20_000

/** On which letters a font places the general marks. To have a mark is not enough: see docs/decisions/faces.md. */
export function markFacts(
  font: HarfBuzzFont,
  points: readonly number[],
  checkTime: () => void,
): FontFacts['marks'] {
  const marks = points.filter(isGeneralMark)
  const letters = points.filter(isWordLetter).slice(0, Math.floor(pairsMax / Math.max(1, marks.length)))
  const places = createMarkJudge(font, marks)
  const byLetters = new Map<string, number[]>()
  for (const mark of marks) {
    const placed = letters.filter((letter) => {
      checkTime()
      return places(letter, mark)
    })
    const key = writeRanges(placed)
    byLetters.set(key, [...(byLetters.get(key) ?? []), mark])
  }
  return Array.from(byLetters, ([written, same]) => ({ marks: writeRanges(same), letters: written }))
}
