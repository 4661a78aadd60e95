import type { FontFile } from './coverage/lookup.ts'

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
