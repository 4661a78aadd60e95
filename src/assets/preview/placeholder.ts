/**
 * Whether a text is what a program leaves where it had no value: a template that was not filled in, alone or as one part
 * of a title, or what is printed for nothing.
 */
export function isPlaceholder(text: string): boolean {
  if (!telling.test(text)) return false
  const parts = text
    .slice(0, charsMax)
    .split(separator)
    .map((part) => part.trim())
  return (
    loremIpsum.test(text) ||
    parts.every((part) => printedNothing.test(part)) ||
    parts.some((part) => part !== '' && withoutTemplates(part).trim() === '')
  )
}

/** Whether a program left a template in a part of a URL. */
export function isPlaceholderUrl(raw: string): boolean {
  if (!raw.includes('{') && !raw.includes('%')) return isPlaceholder(raw)
  const text = raw.replace(encodedMarks, decodeURIComponent)
  return isPlaceholder(text) || unfilledPart.test(text) || withoutTemplates(text).length < text.length
}

/** Whether the file of a URL is what is printed for nothing: `/images/undefined`. */
export function hasPlaceholderFile(url: string): boolean {
  return /\/(?:undefined|null|NaN|(?:\[|%5B)object(?:%20| )Object(?:\]|%5D))(?:[?#]|$)/.test(url)
}

function withoutTemplates(text: string): string {
  let rest = text
  for (const [start, end] of templateMarks) {
    const kept: string[] = []
    let at = 0
    for (let from = rest.indexOf(start); from >= 0; from = rest.indexOf(start, at)) {
      const to = rest.indexOf(end, from + start.length)
      if (to < 0) break
      kept.push(rest.slice(at, from))
      at = to + end.length
    }
    rest = kept.join('') + rest.slice(at)
  }
  return rest.replace(/%%[\w-]+%%/g, '').replace(unfilledName, '')
}

/** A whole text that is one name between the marks of a template, which other texts have around words as well: `{title}`, `%TITLE%`. */
const unfilledName =
  /^\s*(?:#?\{[a-z_][\w.]{0,40}\}|\[\[[a-z_][\w. ]{0,40}\]\]|__[A-Z][A-Z_]{1,40}__|%[A-Z][A-Z_]{1,40}%|@(?:Model|ViewBag)\.\w{1,40})\s*$/i

const templateMarks: readonly (readonly [start: string, end: string])[] = [
  ['{{{', '}}}'],
  ['{{', '}}'],
  ['{%', '%}'],
  ['{!!', '!!}'],
  ['<%', '%>'],
  ['<?', '?>'],
  ['${', '}'],
]
/** Files may have an identifier in braces, but not a word. */
const unfilledPart = /\{[a-z_]{2,24}\}/i
const encodedMarks = /%(?:7B|7D|24|25|3C|3E|3F)/gi
const telling = /[{%[]|<[%?]|__|@(?:Model|ViewBag)|undefined|null|NaN|lorem/i
const separator = /\s[-–—|·•:]\s|\|/
const loremIpsum = /^\s*lorem ipsum(?:\s*$|,? dolor)/i
const printedNothing =
  /^(?:undefined|null|NaN|\[object Object\])(?: (?:undefined|null|NaN|\[object Object\]))*$/
const charsMax = 1_000
