import { type ParsedElementInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json'

/** The place of a value in a document: names of members and indexes of elements, from the root. */
export type Location = readonly (string | number)[]

/** Far longer than any badge shows: numbers beyond are refused, texts are decoded in parts. */
const tokenBytesMax = 16_384
const depthMax = 64

const depthChanges: Readonly<Partial<Record<TokenType, number>>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
}

/** A tokenizer for which numbers are texts as they are written. */
class SourceTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    if (text.length > tokenBytesMax) throw new SyntaxError('A number is too long.')
    return text as unknown as number
  }
}

export type JsonScanner = ReturnType<typeof createJsonScanner>

/** Finds scalars in JSON that comes in pieces, and keeps nothing else of it: texts by value, numbers as they are written. Of equal names the last counts. */
export function createJsonScanner(locations: readonly Location[]) {
  /** The wanted values, each with the depth of the outermost complete value that it is in: 0 is the document. */
  const found: { depth: number; value: unknown }[] = locations.map(() => ({ depth: -1, value: undefined }))
  const tokenizer = new SourceTokenizer({ stringBufferSize: tokenBytesMax })
  const parser = new TokenParser()
  let depth = 0
  tokenizer.onToken = (token) => {
    depth += depthChanges[token.token] ?? 0
    if (depth > depthMax) throw new SyntaxError('The document has too many levels.')
    parser.write(token)
  }
  parser.onValue = (complete) => {
    const { value, key, parent, stack } = complete
    for (const [index, location] of locations.entries()) {
      if (!isOnWay(location, complete)) continue
      const inner = found[index]
      if (stack.length === location.length) found[index] = { depth: stack.length, value }
      else if (inner?.depth === stack.length + 1) inner.depth = stack.length
      else found[index] = { depth: stack.length, value: undefined }
    }
    if (Array.isArray(parent)) parent.length = 0
    else if (parent !== undefined) delete parent[key ?? '']
  }
  return {
    write: (chunk: string): void => tokenizer.write(chunk),
    /** The texts of the wanted values in their order; undefined for one that is missing, null or no scalar. */
    end(): readonly (string | undefined)[] {
      tokenizer.end()
      if (!parser.isEnded) throw new SyntaxError('The document has no end.')
      return found.map(({ value = null }) => (typeof value === 'object' ? undefined : String(value)))
    },
  }
}

/** True for the value at a location, and for those around it. */
function isOnWay(location: Location, { key, stack }: ParsedElementInfo): boolean {
  const { length } = stack
  if (length > location.length || (length > 0 && location[length - 1] !== key)) return false
  return stack.every((around, index) => index === 0 || around.key === location[index - 1])
}

export function* scanInSteps({ write }: Pick<JsonScanner, 'write'>, piece: string): Generator<void, void> {
  for (let at = 0; at < piece.length; at += stepChars) {
    write(piece.slice(at, at + stepChars))
    yield
  }
}

const stepChars = 2_048
