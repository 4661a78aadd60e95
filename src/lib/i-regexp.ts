/** Takes the work that was done, in steps. May throw, which ends the match. */
export type Spend = (steps: number) => void

export interface IRegexp {
  /** Whether the text as a whole matches, or else a part of it. */
  matches(text: string, isWhole: boolean): boolean
}

/**
 * A pattern of RFC 9485 (I-Regexp); one that is none matches nothing. All alternatives go through a text together, because patterns
 * and texts are foreign, and an engine that tries one after the other can take forever.
 */
export function compileIRegexp(pattern: string, spend: Spend): IRegexp {
  spend(pattern.length)
  const tree = readPattern(pattern)
  if (tree === undefined) return { matches: () => false }
  const states = compile(tree, spend)
  return { matches: (text, isWhole) => run(states, text, isWhole, spend) }
}

type Takes = (character: string) => boolean

/** RFC 9485 calls these ordinary characters, but the engines that it maps patterns to do not. */
type Anchor = '^' | '$'

type Tree =
  | { readonly takes: Takes }
  | { readonly anchor: Anchor }
  | { readonly sequence: readonly Tree[] }
  | { readonly choice: readonly Tree[] }
  | { readonly repeated: Tree; readonly min: number; readonly max: number }

const categoryEscape = String.raw`\\[pP]\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfno]?)\}`
const characterEscape = String.raw`\\[nrt()*+\-.?[\\\]^{|}]`
const classMember = String.raw`(?:${categoryEscape}|(?:${characterEscape}|[^\\[\]\-])(?:-(?:${characterEscape}|[^\\[\]\-]))?)`
const token = [
  categoryEscape,
  characterEscape,
  String.raw`\[\^?(?:-|${classMember})${classMember}*-?\]`,
  String.raw`\{\d{1,4}(?:,\d{0,4})?\}`,
  String.raw`[^\\[\]{}]`,
].join('|')

interface Reader {
  readonly tokens: readonly string[]
  at: number
}

/** The pattern as a tree; undefined if it is no I-Regexp. */
function readPattern(pattern: string): Tree | undefined {
  const tokens = pattern.match(new RegExp(token, 'gsu')) ?? []
  if (tokens.join('') !== pattern) return undefined
  const reader = { tokens, at: 0 }
  try {
    const tree = readChoice(reader)
    return reader.at === tokens.length ? tree : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readChoice(reader: Reader): Tree {
  const choice = [readSequence(reader)]
  while (reader.tokens[reader.at] === '|') {
    reader.at += 1
    choice.push(readSequence(reader))
  }
  return { choice }
}

function readSequence(reader: Reader): Tree {
  const sequence: Tree[] = []
  for (;;) {
    const next = reader.tokens[reader.at]
    if (next === undefined || next === '|' || next === ')') return { sequence }
    sequence.push(readPiece(reader, next))
  }
}

function readPiece(reader: Reader, first: string): Tree {
  reader.at += 1
  if (/^(?:[*+?]|\{.*\})$/.test(first)) throw new SyntaxError('Nothing is repeated.')
  const atom = readAtom(reader, first)
  const bounds = boundsOf(reader.tokens[reader.at] ?? '')
  if (bounds === undefined) return atom
  reader.at += 1
  return { repeated: atom, ...bounds }
}

function readAtom(reader: Reader, first: string): Tree {
  if (first === '^' || first === '$') return { anchor: first }
  return first === '(' ? readGroup(reader) : { takes: characterTest(first) }
}

function readGroup(reader: Reader): Tree {
  const group = readChoice(reader)
  if (reader.tokens[reader.at] !== ')') throw new SyntaxError('A group has no end.')
  reader.at += 1
  return group
}

function boundsOf(quantifier: string): { readonly min: number; readonly max: number } | undefined {
  if (quantifier === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
  if (quantifier === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
  if (quantifier === '?') return { min: 0, max: 1 }
  const [, min, comma, max] = /^\{(\d{1,4})(,?)(\d{0,4})\}$/.exec(quantifier) ?? []
  if (min === undefined) return undefined
  const end = comma === '' ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max)
  if (end < Number(min)) throw new SyntaxError('The bounds are in the wrong order.')
  return { min: Number(min), max: end }
}

/** The test of one character. A class is left to the engine, which tries it on a single character only. */
function characterTest(token: string): Takes {
  if (token === '.') return (character) => character !== '\n' && character !== '\r'
  if (token.length > 1 && (token.startsWith('[') || /^\\p/i.test(token))) {
    const expression = new RegExp(`^${token.replace(/\\(?![pPnrt])(.)|(?<!^\[)\^/gsu, escaped)}$`, 'su')
    return (character) => expression.test(character)
  }
  const named = { '\\n': '\n', '\\r': '\r', '\\t': '\t' }[token]
  const own = named ?? token.replace(/^\\/, '')
  return (character) => character === own
}

function escaped(match: string, character = match): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}

/** A state takes a character and goes on to the next one, or goes on to others without taking any. */
type State = { readonly takes: Takes } | { readonly anchor: Anchor } | { goTo: readonly number[] }

/** The states of a pattern; behind the last one it has matched. */
function compile(tree: Tree, spend: Spend): readonly State[] {
  const states: State[] = []
  function add(state: State): State {
    spend(1)
    states.push(state)
    return state
  }
  function emit(part: Tree): void {
    if ('takes' in part || 'anchor' in part) add(part)
    else if ('sequence' in part) part.sequence.forEach(emit)
    else if ('choice' in part) emitChoice(part.choice)
    else emitRepeated(part.repeated, part.min, part.max)
  }
  function emitChoice(branches: readonly Tree[]): void {
    const fork = { goTo: [] as number[] }
    const ends: { goTo: readonly number[] }[] = []
    add(fork)
    for (const branch of branches) {
      fork.goTo.push(states.length)
      emit(branch)
      const end = { goTo: [] }
      add(end)
      ends.push(end)
    }
    for (const end of ends) end.goTo = [states.length]
  }
  function emitRepeated(part: Tree, min: number, max: number): void {
    for (let count = 0; count < min; count += 1) emit(part)
    const isEndless = max === Number.POSITIVE_INFINITY
    const forks: { goTo: readonly number[] }[] = []
    for (let count = min; count < (isEndless ? min + 1 : max); count += 1) {
      const fork = { goTo: [states.length + 1] }
      const at = states.length
      add(fork)
      forks.push(fork)
      emit(part)
      if (isEndless) add({ goTo: [at] })
    }
    for (const fork of forks) fork.goTo = [...fork.goTo, states.length]
  }
  emit(tree)
  return states
}

function run(states: readonly State[], text: string, isWhole: boolean, spend: Spend): boolean {
  const characters = Array.from(text)
  /** Adds a state, and those that it leads to without a character. */
  function enter(active: Set<number>, first: number, position: number): void {
    const waiting = [first]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (active.has(at)) continue
      spend(1)
      active.add(at)
      const state = states[at]
      if (state === undefined) continue
      if ('goTo' in state) waiting.push(...state.goTo)
      else if ('anchor' in state && position === (state.anchor === '^' ? 0 : characters.length))
        waiting.push(at + 1)
    }
  }
  let active = new Set<number>()
  enter(active, 0, 0)
  for (const [position, character] of characters.entries()) {
    if (active.has(states.length) && !isWhole) return true
    if (active.size === 0) return false
    const next = new Set<number>()
    for (const at of active) {
      const state = states[at]
      if (state !== undefined && 'takes' in state && state.takes(character)) enter(next, at + 1, position + 1)
    }
    spend(1 + active.size)
    if (!isWhole) enter(next, 0, position + 1)
    active = next
  }
  return active.has(states.length)
}
