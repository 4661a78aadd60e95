/**
 * A path in the older notation that shields.io reads, as JSONPath of RFC 9535: `version` and `.version` are `$.version`,
 * `$.dist-tags.latest` is `$['dist-tags'].latest`, `$.0` is `$[0,'0']`, and `===` is `==`. A path of the RFC stays as it is.
 */
export function goessnerPath(text: string): string {
  const path = text.trim()
  const rest = path.startsWith('$') ? path.slice(1) : /^[.[]/.test(path) ? path : `.${path}`
  let rewritten = '$'
  let at = 0
  while (at < rest.length) {
    const part = partAt(rest, at)
    if (part === undefined) return path
    rewritten += part.rewritten
    at += part.length
  }
  return rewritten
}

interface Part {
  readonly length: number
  readonly rewritten: string
}

const dottedName = /(\.\.?)([^.[\]]+)/y
const dotsOfBracket = /(\.\.?)(?=\[)/y

/** The dots and the name, or the bracket, that begin here. */
function partAt(path: string, at: number): Part | undefined {
  if (path[at] === '[') {
    const end = endOfBracket(path, at)
    return end === undefined ? undefined : { length: end - at, rewritten: bracket(path.slice(at, end)) }
  }
  dotsOfBracket.lastIndex = at
  const [dots] = dotsOfBracket.exec(path) ?? []
  // A single dot before a bracket means nothing.
  if (dots !== undefined) return { length: dots.length, rewritten: dots === '..' ? dots : '' }
  dottedName.lastIndex = at
  const [whole, before = '', name = ''] = dottedName.exec(path) ?? []
  return whole === undefined ? undefined : { length: whole.length, rewritten: member(before, name) }
}

const shorthand = /^(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*|\*)$/

function member(dots: string, name: string): string {
  if (shorthand.test(name)) return dots + name
  const before = dots === '..' ? dots : ''
  return /^\d{1,9}$/.test(name) ? `${before}[${Number(name)},'${name}']` : `${before}[${quoted(name)}]`
}

/** A bracket with a bare name has it quoted; filters compare in the RFC's way. */
function bracket(text: string): string {
  const inner = text.slice(1, -1).trim()
  if (/^[A-Za-z_$@][\w$@-]*$/.test(inner)) return `[${quoted(inner)}]`
  return inner.startsWith('?') ? text.replace(/([!=]=)=/g, '$1') : text
}

function quoted(name: string): string {
  return `'${name.replace(/[\\']/g, '\\$&')}'`
}

/** The index behind the bracket that closes this one, outside quotes. */
function endOfBracket(path: string, start: number): number | undefined {
  let depth = 0
  let quote: string | undefined
  for (let at = start; at < path.length; at += 1) {
    const character = path[at]
    if (quote !== undefined) {
      if (character === '\\') at += 1
      else if (character === quote) quote = undefined
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth += 1
    else if (character === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}
