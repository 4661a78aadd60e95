import type { FontSource } from './font-source.ts'

/**
 * Work on texts in steps of a few ms at most. It yields the font that it needs next, which has to be loaded before it goes on,
 * or undefined where only time has passed.
 */
export type TextSteps<T> = Generator<FontSource | undefined, T, undefined>

/** A font is needed that is not loaded. */
export class FontMissing extends Error {
  override readonly name = 'FontMissing'
  readonly source: FontSource

  constructor(source: FontSource) {
    super('The fonts of a text are prepared before it is laid out.')
    this.source = source
  }
}

/** Repeats work until the fonts that it needs are loaded: what it shaped before is cached. */
export function* withFonts<T>(work: () => T): TextSteps<T> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      yield missingFont(error)
    }
  }
}

/** The font that an error asks for. Throws any other error again. */
export function missingFont(error: unknown): FontSource {
  if (error instanceof FontMissing) return error.source
  throw error
}

/** All steps in this turn of the event loop. @throws FontMissing */
export function atOnce<T>(steps: TextSteps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (step.value !== undefined) throw new FontMissing(step.value)
  }
}
