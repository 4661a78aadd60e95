import type { MarkedText } from '../../test/text/break-corpus.ts'

/** A text in a column, at the size that our card gives it. */
export interface SetText extends MarkedText {
  readonly lang: string
  readonly widthPx: number
  readonly sizePx: number
  readonly weight: number
}

/** Where the lines of a text start, the first one left out, and the width of each line. */
export interface Lines {
  readonly starts: readonly number[]
  readonly widthsPx: readonly number[]
}
