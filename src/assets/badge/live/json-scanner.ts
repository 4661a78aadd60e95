import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from '../../../lib/json.ts'

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

/** Far longer than any badge shows, and than any name that a query can have. */
const tokenCharsMax = 16_384
const depthMax = 64

export type JsonScanner = ReturnType<typeof createJsonScanner>

/** Finds scalars in JSON that comes in pieces, in bounded memory: texts by value, numbers as they are written. Of equal names the last counts. */
export function createJsonScanner(locations: readonly Location[]) {
  const root = placesOf(locations)
  const found: (string | undefined)[] = locations.map(() => undefined)
  const open: Container[] = []
  let expected: Expected = 'value'
  let place: Place | undefined = root
  /** The token that is being read: its kind, and its text as far as that is wanted. */
  let token: 'string' | 'bare' | undefined
  let text = ''
  /** The rest of an escape: its letter, or a number of hex digits. */
  let escaped: 'letter' | number = 0

  function isName(): boolean {
    return expected === 'name' || expected === 'name or end'
  }

  function isWanted(): boolean {
    return isName() ? open.at(-1)?.place !== undefined : place?.wanted !== undefined
  }

  function endToken(): void {
    const isString = token === 'string'
    token = undefined
    if (!isString && !bareToken.test(text)) throw new SyntaxError('This is no value of JSON.')
    if (isName()) {
      const members = open.at(-1)?.place?.members
      place = members?.get(stringOf(text))
      expected = 'colon'
      return
    }
    if (place?.wanted !== undefined && isString) found[place.wanted] = stringOf(text)
    else if (place?.wanted !== undefined && text !== 'null') found[place.wanted] = text
    endValue()
  }

  function endValue(): void {
    place = undefined
    expected = open.length === 0 ? 'nothing' : 'comma'
  }

  function begin(isArray: boolean): void {
    if (open.length === depthMax) throw new SyntaxError('The document has too many levels.')
    open.push({ isArray, place, index: 0 })
    expected = isArray ? 'value or end' : 'name or end'
    if (isArray) place = place?.members.get(0)
  }

  function end(isArray: boolean): void {
    const container = open.at(-1)
    const mayEnd = expected === 'comma' || expected === (isArray ? 'value or end' : 'name or end')
    if (container?.isArray !== isArray || !mayEnd) throw new SyntaxError('Something ends that is not open.')
    open.pop()
    endValue()
  }

  function comma(): void {
    const container = open.at(-1)
    if (expected !== 'comma' || container === undefined) throw new SyntaxError('A comma is not expected.')
    expected = container.isArray ? 'value' : 'name'
    container.index += 1
    if (container.isArray) place = container.place?.members.get(container.index)
  }

  /** Forgets what an earlier member of the same name had. */
  function forget({ wanted, members }: Place): void {
    if (wanted !== undefined) found[wanted] = undefined
    for (const member of members.values()) forget(member)
  }

  function beginToken(code: number): void {
    if (isName() ? code !== quote : expected !== 'value' && expected !== 'value or end')
      throw new SyntaxError('A value is not expected.')
    if (!isName() && place !== undefined) forget(place)
    if (code === openBracket || code === openBrace) begin(code === openBracket)
    else token = code === quote ? 'string' : 'bare'
    text = ''
  }

  function structure(code: number): void {
    if (code === closeBracket || code === closeBrace) end(code === closeBracket)
    else if (code === commaCode) comma()
    else if (code === colon && expected === 'colon') expected = 'value'
    else if (code === colon) throw new SyntaxError('A colon is not expected.')
    else beginToken(code)
  }

  /** Reads on in a string. Returns the place behind what was read. */
  function readString(chunk: string, start: number): number {
    let at = start
    for (; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at)
      if (code < space) throw new SyntaxError('A text has a control character.')
      if (escaped !== 0) escaped = escapeBehind(code)
      else if (code === backslash) escaped = 'letter'
      else if (code === quote) break
    }
    keep(chunk, start, at)
    if (at === chunk.length) return at
    endToken()
    return at + 1
  }

  function escapeBehind(code: number): number {
    const character = String.fromCharCode(code)
    const isRight = escaped === 'letter' ? '"\\/bfnrtu'.includes(character) : /[\da-f]/i.test(character)
    if (!isRight) throw new SyntaxError('A text has an escape that is none.')
    if (escaped === 'letter') return character === 'u' ? 4 : 0
    return escaped - 1
  }

  function readBare(chunk: string, start: number): number {
    let at = start
    while (at < chunk.length && !isDelimiter(chunk.charCodeAt(at))) at += 1
    text += chunk.slice(start, at)
    if (text.length > tokenCharsMax) throw new SyntaxError('A number is too long.')
    if (at < chunk.length) endToken()
    return at
  }

  function keep(chunk: string, start: number, end: number): void {
    if (isWanted() && text.length < tokenCharsMax) text += chunk.slice(start, end).slice(0, tokenCharsMax)
  }

  return {
    write(chunk: string): void {
      for (let at = 0; at < chunk.length; ) {
        if (token === 'string') at = readString(chunk, at)
        else if (token === 'bare') at = readBare(chunk, at)
        else {
          const code = chunk.charCodeAt(at)
          if (!isSpace(code)) structure(code)
          // The first character of a bare token is a part of it.
          if (token !== 'bare') at += 1
        }
      }
    },
    /** The texts of the wanted values in their order; undefined for one that is missing, null or no scalar. */
    end(): readonly (string | undefined)[] {
      if (token === 'bare') endToken()
      if (expected !== 'nothing') throw new SyntaxError('The document has no end.')
      return found
    },
  }
}

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

/** The value of a string without its quotes, of which the end may be missing. */
function stringOf(text: string): string {
  const whole = text.length < tokenCharsMax ? text : withoutLastEscape(text.slice(0, tokenCharsMax))
  return whole.includes('\\') ? String(JSON.parse(`"${whole}"`)) : whole
}

/** An escape at the end may be cut. */
function withoutLastEscape(text: string): string {
  let at = text.lastIndexOf('\\')
  if (at < text.length - escapeChars) return text
  while (text[at - 1] === '\\') at -= 1
  return text.slice(0, at)
}

const escapeChars = 6
const bareToken = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
const space = 0x20
const commaCode = 0x2c
const colon = 0x3a

function isSpace(code: number): boolean {
  return code === space || code === 0x0a || code === 0x0d || code === 0x09
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || code === commaCode || code === closeBracket || code === closeBrace || code === colon
}
