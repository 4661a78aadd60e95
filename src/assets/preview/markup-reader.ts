import { Tokenizer } from 'htmlparser2'
import { ElementReader, type MarkupHandler } from './element-reader.ts'
import { TextWindow } from './text-window.ts'

export interface MarkupReader {
  write(text: string): void
  end(): void
}

/** Reads HTML of any quality as it arrives. `outside` is the state around the outermost element. */
export function createMarkupReader<State>(handler: MarkupHandler<State>, outside: State): MarkupReader {
  const window = new TextWindow()
  // Most text and most attribute values are not needed. Decoding only those that are takes half the time.
  const tokenizer = new Tokenizer({ decodeEntities: false }, new ElementReader(handler, outside, window))
  /** The beginning of a character reference that the next piece completes. */
  let partialReference = ''

  function read(text: string) {
    window.advance(text)
    tokenizer.write(text)
  }

  return {
    write(text) {
      const all = partialReference + text
      const end = all.length - partialReferenceChars(all)
      partialReference = all.slice(end)
      if (end > 0) read(all.slice(0, end))
    },
    end() {
      if (partialReference !== '') read(partialReference)
      tokenizer.end()
    },
  }
}

/** How many characters at the end may be the beginning of a character reference. */
function partialReferenceChars(text: string): number {
  const end = text.slice(-referenceCharsMax)
  const at = end.lastIndexOf('&')
  return at < 0 || !partialReferencePattern.test(end.slice(at)) ? 0 : end.length - at
}

const partialReferencePattern = /^&#?\w*$/
/** The longest name is `&CounterClockwiseContourIntegral;`. */
const referenceCharsMax = 33
