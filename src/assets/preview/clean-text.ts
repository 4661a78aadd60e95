import { decodeHTMLStrict } from 'entities'

/** Text of a page on one line: double-escaped references decoded, unreadable characters removed, white space collapsed. */
export function cleanPageText(raw: string): string {
  if (plainText.test(raw)) return raw
  return undoDoubleEscape(raw.toWellFormed()).replace(unreadable, '').replace(/\s+/g, ' ').trim()
}

/** Most text of most pages in English. */
const plainText = /^[!-%'-~]+(?: [!-%'-~]+)*$/

/** Returns undefined where no text remains. */
export function nonEmptyText(raw: string | undefined): string | undefined {
  return cleanPageText(raw ?? '') || undefined
}

/** The text up to the last sentence, or else the last word, that ends within the limit. */
export function cutAtSentence(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const start = text.slice(0, charsMax).toWellFormed()
  const sentences = /^.*[.!?…](?=\s)|^.*[。！？]/su.exec(start)?.[0]
  if (sentences !== undefined && sentences.length >= charsMax / 2) return sentences
  const words = start.slice(0, -1)
  const lastSpace = words.lastIndexOf(' ')
  return `${lastSpace < 0 ? words : words.slice(0, lastSpace)}…`
}

/** Decodes what a site escaped twice, except `<` and `>`: a decoded tag could be taken for markup. */
function undoDoubleEscape(text: string): string {
  return text.includes('&') ? text.replace(escapeSequence, (whole) => decodeEscape(whole)) : text
}

const escapeSequence = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/g

function decodeEscape(reference: string): string {
  const text = decodeHTMLStrict(reference)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
  return /[<>\u0000-\u001f\ufffd]/.test(text) ? reference : text
}

/** Control characters except white space, and bidirectional overrides, with which a title could reorder the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const unreadable = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
