import type { FitRequest, FittedText, TextStyle } from './types.ts'

/** A text that a drawing needs, with the sizes of its letters where they are known to be large. */
export type TextRequest = Pick<FitRequest, 'text' | 'style' | 'lang'> & Partial<Pick<FitRequest, 'sizesPx'>>

/** Lays texts out as outlines. */
export interface TextFitter {
  fit(request: FitRequest): FittedText
  /** One line at one size, cut with an ellipsis when it is wider than `maxWidthPx`. */
  line(text: string, style: TextStyle, sizePx: number, lang?: string, maxWidthPx?: number): FittedText
}

const anyPx = Number.MAX_SAFE_INTEGER

export function textFitter(fit: TextFitter['fit']): TextFitter {
  return {
    fit,
    line: (text, style, sizePx, lang, maxWidthPx = anyPx) =>
      fit({ text, style, sizesPx: [sizePx], maxLines: 1, maxWidthPx, maxHeightPx: anyPx, lang }),
  }
}
