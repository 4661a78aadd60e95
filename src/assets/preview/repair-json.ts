import { jsonDepthMax } from '../../lib/json-depth.ts'

/**
 * Repairs the usual mistakes in JSON-LD blocks: comments and CDATA sections, trailing commas, line breaks in strings,
 * `\x26` and other escapes that JSON does not know, text after the end. Takes one pass, and yields to the cooperative
 * scheduler. Returns an empty string for text that is too long or nested too deep.
 */
export function* repairJson(text: string): Generator<void, string> {
  if (text.length > charsMax) return ''
  const out: string[] = []
  let depth = 0
  let at = 0
  for (let tokens = 1; at < text.length; tokens += 1) {
    if (tokens % stepTokens === 0) yield
    const token = nextToken(text, at)
    at += token.length
    const first = token[0] ?? ''
    if (wrapper.test(token)) continue
    if (first === '}' || first === ']') {
      dropTrailingComma(out)
      depth = Math.max(0, depth - 1)
    } else if (first === '{' || first === '[') depth += 1
    out.push(first === '"' ? repairString(token) : token)
    if (depth > jsonDepthMax) return ''
    if (depth === 0 && (first === '}' || first === ']')) break
  }
  return out.join('')
}

/** A string, a comment or wrapper, a run of other characters, or one character. */
const anyToken =
  /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<!\[CDATA\[|<!--|-->|\]\]>|[^"/<>[\]{},-]+|[\s\S]/y

const wrapper = /^(?:\/\/|\/\*|<!|-->|\]\]>)/

function nextToken(text: string, at: number): string {
  anyToken.lastIndex = at
  return anyToken.exec(text)?.[0] ?? text.slice(at)
}

function dropTrailingComma(out: string[]): void {
  while (out.length > 0 && (out.at(-1) ?? '').trim() === '') out.pop()
  if (out.at(-1) === ',') out.pop()
}

function repairString(literal: string): string {
  return (
    literal
      .replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])/g, (whole, escaped: string) => {
        if (/^x./.test(escaped)) return `\\u00${escaped.slice(1)}`
        return /^(["\\/bfnrt]|u.)/.test(escaped) ? whole : escaped
      })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings
      .replace(/[\u0000-\u001f]+/g, ' ')
  )
}

/** Tokens in one step of the cooperative scheduler. */
const stepTokens = 1_000
const charsMax = 131_072
