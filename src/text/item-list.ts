import type { Box } from '../svg/bounds.ts'
import type { PathData } from '../svg/write-path.ts'
import type { FontFile } from './font-files.ts'

/** A part of a text that has one font, one direction and one kind of content; a `mark` is a backtick before or behind code. */
export type Item =
  | WordItem
  | (Stretch & { readonly kind: 'space' | 'missing' | 'hidden' | 'mark' })
  | (Stretch & { readonly kind: 'emoji'; readonly name: string })

/** A stretch of one font that is shaped at once. */
export interface WordItem extends Stretch {
  readonly kind: 'word'
  readonly file: FontFile
}

export interface Stretch {
  readonly start: number
  readonly end: number
  /** Embedding level: odd runs from right to left. */
  readonly level: number
}

export class ItemList {
  readonly items: Item[] = []
  readonly graphemeEnds: number[] = []
  private offset = 0
  private word: { -readonly [Key in keyof WordItem]: WordItem[Key] } | undefined
  private readonly levels: Uint8Array | undefined

  /** @param levels of every UTF-16 unit of the text; undefined when all are 0. */
  constructor(levels: Uint8Array | undefined) {
    this.levels = levels
  }

  add(
    length: number,
    content: { kind: 'space' | 'missing' | 'hidden' | 'mark' } | { kind: 'emoji'; name: string },
  ): void {
    this.word = undefined
    this.items.push({ ...content, ...this.advance(length) })
  }

  /** @param alone nothing joins it to the letters around it. */
  addLetter(length: number, file: FontFile, alone: boolean): void {
    const { word } = this
    const { start, end, level } = this.advance(length)
    if (!alone && word?.file === file && word.level === level) {
      word.end = end
      return
    }
    const item = { kind: 'word' as const, start, end, level, file }
    this.items.push(item)
    this.word = alone ? undefined : item
  }

  /** A character that paints nothing: part of the word that it stands in, because it may join letters. */
  addInvisible(length: number): void {
    if (this.word === undefined) this.add(length, { kind: 'hidden' })
    else this.word.end = this.advance(length).end
  }

  private advance(length: number): Stretch {
    const start = this.offset
    this.offset += length
    this.graphemeEnds.push(this.offset)
    return { start, end: this.offset, level: this.levels?.[start] ?? 0 }
  }
}

export const missingAdvance = 640

/** One thin box, the height of a capital, for a character that no font has. */
export const missingBox: PathData = {
  body: 'h520v720h-520zm40 40v640h440v-640z',
  startX: 60,
  startY: -720,
  endX: 100,
  endY: -680,
  ink: { left: 60, top: -720, right: 580, bottom: 0 },
}

/** Advances of everything that no font draws, in 1/1000 em. */
export const ownAdvances = { emoji: 1180, missing: missingAdvance, hidden: 0, mark: 110 } as const

const emojiSide = 1100
const emojiLeft = (ownAdvances.emoji - emojiSide) / 2
/** Centred on the middle of a capital letter. */
const emojiTop = -914
/** The square of an emoji's picture, from a pen on the baseline. */
export const emojiSquare: Box = {
  left: emojiLeft,
  top: emojiTop,
  right: emojiLeft + emojiSide,
  bottom: emojiTop + emojiSide,
}
