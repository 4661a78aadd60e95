/** One line of readable text: no control characters, no lone surrogates, single spaces, escapes that were escaped twice undone. */
export const cleanText = (raw: string): string =>
  undoDoubleEscape(raw.toWellFormed()).replace(UNREADABLE, '').replace(/\s+/g, ' ').trim()

/** The text, or null when there is nothing to read in it. */
export const textOrNull = (raw: string | null | undefined): string | null => {
  const text = cleanText(raw ?? '')
  return text === '' ? null : text
}

/** `&amp;amp;` in the source. Angle brackets stay escaped, so that text never turns into markup on its way to a page. */
const undoDoubleEscape = (text: string): string =>
  text.includes('&') ? text.replace(ESCAPE, (whole, name: string) => decodeEscape(name) ?? whole) : text

const ESCAPE = /&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,6});/g

const NAMED = new Map([
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

const decodeEscape = (name: string): string | undefined => {
  if (!name.startsWith('#')) return NAMED.get(name)
  const codePoint = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const readable = codePoint > 31 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return readable && codePoint !== 60 && codePoint !== 62 ? String.fromCodePoint(codePoint) : undefined
}

/** Control characters except white space, and the bidi overrides that let a title rewrite what stands around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const UNREADABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
