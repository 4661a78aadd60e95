import type { Fitter } from './fit-text.ts'
import { emojiFile } from './font-files.ts'
import type { FontSource } from './font-source.ts'
import type { FontStore } from './font-store.ts'
import type { WordItem } from './item-list.ts'
import type { LineBreaker } from './line-breaker.ts'
import type { TextSteps } from './steps.ts'
import { hasOpticalSizes, sourceOf } from './style-fonts.ts'
import { type TextFitter, type TextRequest, textFitter } from './text-fitter.ts'
import type { FitRequest, FittedText } from './types.ts'

interface Drawing<T> {
  readonly texts: readonly TextRequest[]
  readonly draw: (fitter: TextFitter) => T
  readonly fitter: Fitter
  readonly fonts: FontStore
  readonly breaker: LineBreaker
}

/** A text that the drawing needs and that is not laid out yet. */
class Unfitted extends Error {
  readonly request: FitRequest

  constructor(request: FitRequest) {
    super('This text is laid out before the drawing goes on.')
    this.request = request
  }
}

/** Draws in steps: each text that takes long is laid out, then the drawing begins again. */
export function* drawSteps<T>({ texts, draw, fitter, fonts, breaker }: Drawing<T>): TextSteps<T> {
  yield* shapeByFont(texts, fitter, fonts)
  const fitted = new Map<string, FittedText>()
  const tools = textFitter((request) => {
    const found = fitted.get(keyOf(request))
    if (found === undefined) throw new Unfitted(request)
    return found
  })
  for (;;) {
    try {
      return draw(tools)
    } catch (error) {
      if (!(error instanceof Unfitted)) throw error
      const { request } = error
      // A theme may space a text anew by its size.
      yield* shapeByFont([request], fitter, fonts)
      fitted.set(keyOf(request), yield* fitter.steps(request, breaker))
    }
    yield
  }
}

/** A word and the text that it stands in. */
interface PlacedWord {
  readonly request: TextRequest
  readonly item: WordItem
}

/**
 * Shapes all words of a drawing, font by font: then each font is loaded once, however many there are, and may be dropped
 * behind its words.
 */
function* shapeByFont(texts: readonly TextRequest[], fitter: Fitter, fonts: FontStore): TextSteps<void> {
  const wordsByFont = new Map<FontSource, PlacedWord[]>()
  for (const request of texts) {
    const found = fitter.itemsOf(request)
    const { items } = 'items' in found ? found : yield* found
    for (const item of items) {
      if (item.kind === 'emoji' && !fonts.isLoaded(emojiFile)) yield emojiFile
      // Which shapes such a font takes depends on the size.
      if (item.kind !== 'word' || hasOpticalSizes(item.file)) continue
      const source = sourceOf(item.file, request.style)
      const words = wordsByFont.get(source) ?? []
      words.push({ request, item })
      wordsByFont.set(source, words)
    }
  }
  const sources = [...wordsByFont.keys()]
  const loaded = new Set(sources.filter(fonts.isLoaded))
  for (const source of [...loaded, ...sources.filter((other) => !loaded.has(other))]) {
    for (const { request, item } of wordsByFont.get(source) ?? []) {
      const { shaper } = fitter.styleFonts({ sizesPx: [], ...request })(item.file, item.level)
      if (shaper.cached(request.text, item.start, item.end) === undefined)
        yield* shaper.wordSteps(request.text, item.start, item.end)
      yield
    }
  }
}

function keyOf({ style, ...request }: FitRequest): string {
  const { font, ...look } = style
  return JSON.stringify([look, font?.key, request])
}
