export function cleanText(raw: string): string {
  return undoDoubleEscape(raw.toWellFormed()).replace(unreadable, '').replace(/\s+/g, ' ').trim()
}

export function textOrNull(raw: string | null | undefined): string | null {
  const text = cleanText(raw ?? '')
  return text === '' ? null : text
}

function undoDoubleEscape(text: string): string {
  return text.includes('&')
    ? text.replace(escapeSequence, (whole, name: string) => decodeEscape(name) ?? whole)
    : text
}

const escapeSequence = /&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,6});/g

const named = new Map([
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
  if (!name.startsWith('#')) return named.get(name)
  const codePoint = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const readable = codePoint > 31 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return readable && codePoint !== 60 && codePoint !== 62 ? String.fromCodePoint(codePoint) : undefined
}

/** Control characters except white space, and the bidi overrides that let a title rewrite what stands around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const unreadable = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
