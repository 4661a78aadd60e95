import { isWordLetter } from '../word-letters.ts'
import type { BrandFont } from './brand-font.ts'
import { readRanges } from './code-ranges.ts'
import { bytesOf, readTables } from './sfnt.ts'

/** What the check found out about a font. It is kept in the font itself, as a table of our own. */
export interface FontFacts {
  /** As the font calls itself; absent where it does not. */
  readonly family?: string
  readonly unitsPerEm: number
  /** The code points that it draws, as `code-ranges.ts` writes them. */
  readonly coverage: string
  /** On which letters marks of U+0300 to U+036F find their place. */
  readonly marks: readonly { readonly marks: string; readonly letters: string }[]
  readonly axes: readonly FontAxis[]
  /** That a static font looks like, for ours beside it; absent where the weight can be chosen, or not measured. */
  readonly weight?: number
}

/** What a variable font can vary. */
export interface FontAxis {
  /** Four letters, such as `wght`. */
  readonly tag: string
  readonly min: number
  readonly usual: number
  readonly max: number
}

export const factsTag = 'mtmk'

const known = new WeakMap<BrandFont, ReturnType<typeof unpackFacts>>()

/** What the engine asks of a font. Throws for bytes that did not come from `readFont`. */
export function factsOf(font: BrandFont) {
  const facts = known.get(font) ?? unpackFacts(font)
  known.set(font, facts)
  return facts
}

function unpackFacts({ bytes }: BrandFont) {
  const table = readTables(bytes).get(factsTag)
  if (table === undefined) throw new Error('The font was not checked')
  const facts: FontFacts = JSON.parse(new TextDecoder().decode(bytesOf(table)))
  const marks = facts.marks.map(({ marks, letters }) => ({
    isMark: readRanges(marks),
    places: readRanges(letters),
  }))
  return {
    ...facts,
    has: readRanges(facts.coverage),
    /** Whether a mark finds its place on a letter; true of what was not asked. */
    placesMark: (letter: number, mark: number) =>
      !isGeneralMark(mark) ||
      !isWordLetter(letter) ||
      marks.some(({ isMark, places }) => isMark(mark) && places(letter)),
  }
}

/** Those that one alphabet takes from another. */
export function isGeneralMark(point: number): boolean {
  return point >= 0x300 && point <= 0x36f && point !== graphemeJoiner
}

const graphemeJoiner = 0x34f
