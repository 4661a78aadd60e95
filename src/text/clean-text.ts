import { words } from '../lib/words.ts'

const whitespaceControls = /[\t\n\v\f\r\u0085\u2028\u2029]/g
const removed = /[\p{Cc}\p{Cs}\uFEFF\u202A-\u202E\p{Noncharacter_Code_Point}]/gu
const breakingSpaces = /(?<!\p{Zs})\p{Zs}*[ \u1680\u2000-\u2006\u2008-\u200A\u205F\u3000]\p{Zs}*/gu
const fixedSpaces = /([\u00A0\u2007\u202F])[\u00A0\u2007\u202F]+/g
const piledMarks = /(\p{M}{4})\p{M}+/gu

/** Ligatures as characters: fonts make their own, and few have these. */
const ligatures = /[\uFB00-\uFB06]/g

/** ASCII with single spaces: nothing is wrong with it. */
const plain = /^[!-~]+(?: [!-~]+)*$/

/**
 * Makes a caller's text fit to be drawn: well-formed and composed (NFC), Indic vowels as one letter, without controls, bidi
 * overrides, noncharacters, ligatures and runs of spaces, at most four marks on a base. Cleaning twice changes nothing more.
 */
export function cleanText(raw: string): string {
  if (plain.test(raw)) return raw
  const composed = withoutControls(raw).normalize('NFC')
  const decomposed = composed.replace(ligatures, (ligature) => ligature.normalize('NFKC'))
  return withoutRuns(withVowelLetters(decomposed))
}

/**
 * Counts the code points of a text once cleaned, but composed no further than it was written: NFC takes some letters apart
 * (U+0958 becomes two), which nobody who counts their letters would know.
 */
export function lengthAsWritten(raw: string): number {
  return countCodePoints(withoutRuns(withoutControls(raw)))
}

function withoutControls(raw: string): string {
  return raw.replace(whitespaceControls, ' ').replace(removed, '')
}

function withoutRuns(text: string): string {
  return text.replace(piledMarks, '$1').replace(breakingSpaces, ' ').replace(fixedSpaces, '$1').trim()
}

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Indic vowels that look like a letter with a sign behind it but are letters of their own: letter, sign, and what the Unicode
 * Standard wants instead ("do not use" in the tables of chapters 12 and 13), in hexadecimal.
 */
const table = words(`
  905:93A:973 905:93B:974 905:93E:906 905:945:972 905:946:904 905:949:911 905:94A:912 905:94B:913 905:94C:914 905:94F:975
  905:956:976 905:957:977 906:93A:974 906:945:911 906:946:912 906:947:913 906:948:914 909:941:90A 90F:945:90D 90F:946:90E
  90F:947:910
  985:9BE:986 98B:9C3:9E0 98C:9E2:9E1
  A05:A3E:A06 A05:A48:A10 A05:A4C:A14 A72:A3F:A07 A72:A40:A08 A72:A47:A0F A73:A41:A09 A73:A42:A0A A73:A4B:A13
  A85:ABE:A86 A85:AC5:A8D A85:AC7:A8F A85:AC8:A90 A85:AC9:A91 A85:ACB:A93 A85:ACC:A94
  B05:B3E:B06 B0F:B57:B10 B13:B57:B14
  B85:BC2:B86
  C12:C4C:C14 C12:C55:C13
  C89:CBE:C8A C8B:CBE:CE0 C92:CCC:C94
  D07:D57:D08 D09:D57:D0A D0E:D46:D10 D12:D3E:D13 D12:D57:D14
  D85:DCF:D86 D85:DD0:D87 D85:DD1:D88 D8B:DDF:D8C D8D:DD8:D8E D8F:DDF:D90 D91:DCA:D92 D91:DD9:D93 D94:DDF:D96
`).map((row) => row.split(':').map((point) => String.fromCodePoint(Number.parseInt(point, 16))))

const letters = new Map(table.map(([letter = '', sign = '', vowel = '']) => [letter + sign, vowel]))
const indic = /[\u0905-\u0D94]/
const pairs = new RegExp(
  `[${[...new Set(table.map(([letter]) => letter))].join('')}][${[...new Set(table.map(([, sign]) => sign))].join('')}]+`,
  'g',
)

/** Browsers show a dotted circle inside such a pair, for which nobody asked; Marathi keyboards write `अॅ` for `ॲ`. */
function withVowelLetters(text: string): string {
  if (!indic.test(text)) return text
  return text.replace(pairs, (found) => {
    const [first = '', ...signs] = found
    return signs.reduce((before, sign) => {
      const letter = letters.get(before.slice(-1) + sign)
      return letter === undefined ? before + sign : before.slice(0, -1) + letter
    }, first)
  })
}
