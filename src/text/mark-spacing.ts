import { type Blank, blankOf, squeeze } from './cjk-marks.ts'
import { kanaKerning, type Spaced } from './spacing.ts'
import type { Word } from './word-store.ts'

export type MarkSpacing = ReturnType<typeof createMarkSpacing>

/** The room between full-width characters, in 1/1000 em. Marks are squeezed where two meet, and at the edges of lines. */
export function createMarkSpacing(spaced: Spaced) {
  const { items } = spaced
  const gaps: number[] = []
  const blanks: (Blank | undefined)[] = []
  const starts = new Map<number, number>()
  const ends = new Map<number, number>()

  function note(index: number, gap: number, blank: Blank | undefined): void {
    const item = items[index]
    if (item === undefined || (gap === 0 && blank === undefined)) return
    gaps[index] = gap
    blanks[index] = blank
    starts.set(item.start, gap + (blank?.kind === 'opening' ? blank.units : 0))
    if (blank?.kind === 'closing') ends.set(item.end, blank.units)
  }

  return {
    /** Takes the next item that has letters. Returns the room before it, where it does not start a line. */
    add(index: number, letters: string, word: Word): number {
      const [item, last] = [items[index], items[index - 1]]
      if (item === undefined || item.level % 2 === 1) return 0
      const blank = letters.length === 1 ? blankOf(letters, word) : undefined
      const gap = -squeeze(blanks[index - 1], blank) || kanaKerning(spaced, last, item)
      note(index, gap, blank)
      return gap
    },
    /** Before an item that does not start a line. */
    before: (index: number): number => gaps[index] ?? 0,
    /** Units that a line omits if it starts at this item, or ends with it. */
    leftOut(index: number, kind: Blank['kind']): number {
      const blank = blanks[index]
      return blank?.kind === kind ? blank.units : 0
    },
    /** Blank cut from the start of a line that begins at this offset. */
    startOf: (offset: number): number => starts.get(offset) ?? 0,
    /** Blank cut from the end of a line that ends at this offset. */
    endOf: (offset: number): number => ends.get(offset) ?? 0,
  }
}

/** Spacing of plain texts, which have no such marks. */
export const noMarkSpacing: MarkSpacing = {
  add: () => 0,
  before: () => 0,
  leftOut: () => 0,
  startOf: () => 0,
  endOf: () => 0,
}
