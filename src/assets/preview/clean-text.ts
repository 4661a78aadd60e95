/** Text of a page on one line: double-escaped references decoded, unreadable characters removed, white space collapsed. */
export function cleanText(raw: string): string {
  return undoDoubleEscape(raw.toWellFormed()).replace(unreadable, '').replace(/\s+/g, ' ').trim()
}

/** Returns undefined where no text remains. */
export function nonEmptyText(raw: string | undefined): string | undefined {
  return cleanText(raw ?? '') || undefined
}

/** Decodes what a site escaped twice, except `<` and `>`: a decoded tag could be taken for markup. */
function undoDoubleEscape(text: string): string {
  return text.includes('&')
    ? text.replace(escapeSequence, (whole, name: string) => decodeEscape(name) ?? whole)
    : text
}

const escapeSequence = /&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,6});/g

const namedCharacters = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
])

function decodeEscape(name: string): string | undefined {
  if (!name.startsWith('#')) return namedCharacters.get(name)
  const codePoint = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isReadable = codePoint > 31 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return isReadable && codePoint !== 60 && codePoint !== 62 ? String.fromCodePoint(codePoint) : undefined
}

/** Control characters except white space, and bidirectional overrides, with which a title could reorder the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const unreadable = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
