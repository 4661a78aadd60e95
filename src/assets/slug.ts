const ascii = /^[ -~]*$/
const marks = /\p{M}/gu
const betweenWords = /[^a-z0-9]+/g

/** A file name from a text: ASCII letters, digits and hyphens, at most 60; `fallback` when nothing is left. */
export function slug(text: string, fallback: string): string {
  const plain = ascii.test(text) ? text : text.normalize('NFKD').replace(marks, '')
  const words = plain.toLowerCase().replace(betweenWords, '-')
  const end = words.endsWith('-') ? words.length - 1 : words.length
  return words.slice(words.startsWith('-') ? 1 : 0, end).slice(0, 60) || fallback
}
