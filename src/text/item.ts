import type { FontFile } from './coverage/lookup.ts'

/** A part of a text that has one font, one direction and one kind of content. */
export type Item =
  | WordItem
  | (Stretch & { readonly kind: 'space' | 'missing' | 'hidden' })
  | (Stretch & { readonly kind: 'emoji'; readonly name: string })

/** A stretch of one font that is shaped at once. */
export interface WordItem extends Stretch {
  readonly kind: 'word'
  readonly file: FontFile
}

/** Offsets count UTF-16 units. */
export interface Stretch {
  readonly start: number
  readonly end: number
  /** Embedding level: odd runs from right to left. */
  readonly level: number
}
