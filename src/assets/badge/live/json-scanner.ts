import { type ParsedTokenInfo, Tokenizer, TokenType } from '@streamparser/json'

/** The place of a value in a document: names of members and indexes of elements, from the root. */
export type Location = readonly (string | number)[]

/** A place on the way to the wanted values. */
interface Place {
  wanted: number | undefined
  readonly members: Map<string | number, Place>
}

interface Container {
  readonly isArray: boolean
  /** Undefined where nothing in it is wanted. */
  readonly place: Place | undefined
  index: number
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma' | 'nothing'

/** Far longer than any badge shows: numbers beyond are refused, texts are decoded in parts. */
const tokenBytesMax = 16_384
const depthMax = 64

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
  const found: (string | undefined)[] = locations.map(() => undefined)
  const open: Container[] = []
  let expected: Expected = 'value'
  let place: Place | undefined = placesOf(locations)

  function beginValue({ token, value }: ParsedTokenInfo): void {
    if (place !== undefined) forget(place)
    const isArray = token === TokenType.LEFT_BRACKET
    if (isArray || token === TokenType.LEFT_BRACE) {
      if (open.length === depthMax) throw new SyntaxError('The document has too many levels.')
      open.push({ isArray, place, index: 0 })
      expected = isArray ? 'value or end' : 'name or end'
      place = isArray ? place?.members.get(0) : undefined
    } else {
      if (place?.wanted !== undefined && value !== null) found[place.wanted] = String(value)
      endValue()
    }
  }

  function endValue(): void {
    place = undefined
    expected = open.length === 0 ? 'nothing' : 'comma'
  }

  /** Forgets what an earlier member of the same name had. */
  function forget({ wanted, members }: Place): void {
    if (wanted !== undefined) found[wanted] = undefined
    for (const member of members.values()) forget(member)
  }

  function read(token: ParsedTokenInfo): void {
    const container = open.at(-1)
    if (expected === 'colon' && token.token === TokenType.COLON) expected = 'value'
    else if (expected === 'comma' && token.token === TokenType.COMMA && container !== undefined) {
      container.index += 1
      expected = container.isArray ? 'value' : 'name'
      if (container.isArray) place = container.place?.members.get(container.index)
    } else if (expected.startsWith('name') && token.token === TokenType.STRING) {
      place = container?.place?.members.get(String(token.value))
      expected = 'colon'
    } else if (
      token.token === (container?.isArray === true ? TokenType.RIGHT_BRACKET : TokenType.RIGHT_BRACE) &&
      (expected === 'comma' || expected.endsWith('end'))
    ) {
      open.pop()
      endValue()
    } else if (expected.startsWith('value') && !noValues.has(token.token)) beginValue(token)
    else throw new SyntaxError(`Not ${token.value}, but ${expected} is expected.`)
  }

  const tokenizer = new SourceTokenizer({ stringBufferSize: tokenBytesMax })
  tokenizer.onToken = read
  return {
    write: (chunk: string): void => tokenizer.write(chunk),
    /** The texts of the wanted values in their order; undefined for one that is missing, null or no scalar. */
    end(): readonly (string | undefined)[] {
      tokenizer.end()
      if (expected !== 'nothing') throw new SyntaxError('The document has no end.')
      return found
    },
  }
}

const noValues: ReadonlySet<TokenType> = new Set([
  ...[TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET, TokenType.COLON, TokenType.COMMA],
])

export function* scanInSteps({ write }: Pick<JsonScanner, 'write'>, piece: string): Generator<void, void> {
  for (let at = 0; at < piece.length; at += stepChars) {
    write(piece.slice(at, at + stepChars))
    yield
  }
}

const stepChars = 2_048

function placesOf(locations: readonly Location[]): Place {
  const root: Place = { wanted: undefined, members: new Map() }
  for (const [index, location] of locations.entries()) {
    let place = root
    for (const step of location) {
      const next: Place = place.members.get(step) ?? { wanted: undefined, members: new Map() }
      place.members.set(step, next)
      place = next
    }
    place.wanted = index
  }
  return root
}
