import { jsonDepthMax } from './json-depth.ts'

/**
 * Turns what sites put into JSON-LD blocks into JSON, in one pass: comment and CDATA wrappers, trailing commas,
 * raw line breaks in strings, `\x26` and other escapes that JSON does not know, anything after the end.
 * Goes in steps of the cooperative scheduler. Gives up, with an empty string, on what is too long or too deep to be worth it.
 */
export function* repairJson(text: string): Generator<void, string> {
  if (text.length > charsMax) return ''
  const out: string[] = []
  let depth = 0
  let at = 0
  for (let pieces = 1; at < text.length; pieces += 1) {
    if (pieces % stepTokens === 0) yield
    const piece = nextToken(text, at)
    at += piece.length
    const first = piece[0] ?? ''
    if (wrapper.test(piece)) continue
    if (first === '}' || first === ']') {
      dropTrailingComma(out)
      depth = Math.max(0, depth - 1)
    } else if (first === '{' || first === '[') depth += 1
    out.push(first === '"' ? repairString(piece) : piece)
    if (depth > jsonDepthMax) return ''
    if (depth === 0 && (first === '}' || first === ']')) break
  }
  return out.join('')
}

/** Sticky, one alternative after the other: a string, a comment or wrapper, a run of anything else, one character. */
const token =
  /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<!\[CDATA\[|<!--|-->|\]\]>|[^"/<>[\]{},-]+|[\s\S]/y

const wrapper = /^(?:\/\/|\/\*|<!|-->|\]\]>)/

function nextToken(text: string, at: number): string {
  token.lastIndex = at
  return token.exec(text)?.[0] ?? text.slice(at)
}

function dropTrailingComma(out: string[]): void {
  while (out.length > 0 && (out.at(-1) ?? '').trim() === '') out.pop()
  if (out.at(-1) === ',') out.pop()
}

function repairString(piece: string): string {
  return (
    piece
      .replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])/g, (whole, escaped: string) => {
        if (/^x./.test(escaped)) return `\\u00${escaped.slice(1)}`
        return /^(["\\/bfnrt]|u.)/.test(escaped) ? whole : escaped
      })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings
      .replace(/[\u0000-\u001f]+/g, ' ')
  )
}

/** Pieces in one step of the cooperative scheduler. */
const stepTokens = 1_000
const charsMax = 131_072
