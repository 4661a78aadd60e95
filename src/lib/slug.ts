/** What is left of a text in plain letters and digits, for a file name. */
export function slug(text: string, otherwise: string): string {
  const plain = /^[ -~]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')
  const words = plain.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const end = words.endsWith('-') ? words.length - 1 : words.length
  return words.slice(words.startsWith('-') ? 1 : 0, end).slice(0, 60) || otherwise
}
