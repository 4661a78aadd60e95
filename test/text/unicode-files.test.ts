/**
 * Unicode's own test files, 100,000 texts in about five seconds. Each deviation has a name and a reason; a text that
 * deviates for no such reason is a fault.
 */
import { describe, expect, test } from 'bun:test'
import { allBreaksOf, breaksOf } from '../../src/text/breaks.ts'
import { cleanText } from '../../src/text/clean-text.ts'
import { hasGlyph } from '../../src/text/coverage/lookup.ts'
import { embeddingLevels, paragraphLevel, visualOrder } from '../../src/text/direction.ts'
import { graphemesOf } from '../../src/text/graphemes.ts'
import { breakTests, unicodeFile, unicodeVersion } from './unicode-files.ts'

const bidiFile = 'BidiCharacterTest.txt'
const bidiClassFile = 'BidiTest.txt'
const graphemeFile = 'auxiliary/GraphemeBreakTest.txt'
const lineFile = 'auxiliary/LineBreakTest.txt'
/** Later versions have rules that the package of line breaking classes does not know yet. */
const version = '15.0.0'
const isThere = [bidiFile, bidiClassFile, graphemeFile, lineFile].every(
  (file) => unicodeVersion(file) === version,
)
if (!isThere)
  console.log(`skipped: Unicode's test files of version ${version} (Debian package unicode-data) are missing`)

/** A character of each bidi class, in hexadecimal. */
const charactersOfClasses = new Map(
  (
    'L:61 R:05D0 AL:0627 EN:31 ES:2D ET:25 AN:0661 CS:2C NSM:0300 BN:00AD B:2029 S:9 WS:20 ON:21 LRE:202A ' +
    'LRO:202D RLE:202B RLO:202E PDF:202C LRI:2066 RLI:2067 FSI:2068 PDI:2069'
  )
    .split(' ')
    .map((row) => row.split(':'))
    .map(([name = '', point = '']) => [name, String.fromCodePoint(Number.parseInt(point, 16))]),
)

function characterOfClass(name: string): string {
  return charactersOfClasses.get(name) ?? ''
}

/** The direction by rules P2 and P3 of UAX 9. */
function ownDirection(text: string) {
  return paragraphLevel(text) === 1 ? 'rtl' : 'ltr'
}

/** The directions that a line of BidiTest is for: its own, left to right and right to left are a bit each. */
function basesOf(text: string, directions: number) {
  const all = [ownDirection(text), 'ltr', 'rtl'] as const
  return all.filter((_, bit) => (directions >> bit) % 2 === 1)
}

function offsetsOf(parts: readonly string[]): number[] {
  let end = 0
  return parts.map((part) => (end += part.length))
}

describe.if(isThere)('Unicode’s test files', () => {
  test('every text of BidiCharacterTest has the order that UAX 9 gives it, and the levels', () => {
    const faults: string[] = []
    let count = 0
    for (const line of unicodeFile(bidiFile) ?? []) {
      const [points = '', direction, paragraphLevel, levels = '', order = ''] = line.split(';')
      const characters = points.split(' ').map((point) => String.fromCodePoint(Number.parseInt(point, 16)))
      const text = characters.join('')
      const base = direction === '2' ? ownDirection(text) : direction === '1' ? 'rtl' : 'ltr'
      const found = embeddingLevels(text, base)
      const starts = [0, ...offsetsOf(characters)]
      // Characters that rule X9 removes have no level.
      const shown = levels
        .split(' ')
        .flatMap((level, at) => (level === 'x' ? [] : [{ level: Number(level), at }]))
      const own = shown.map(({ at }) => found?.[starts[at] ?? 0] ?? 0)
      const ownOrder = visualOrder(own).map((at) => shown[at]?.at)
      // Where every level is even nothing is turned around, so levels are not computed.
      const isSame =
        found === undefined
          ? shown.every(({ level }) => level % 2 === 0)
          : shown.every(({ level }, at) => level === own[at])
      if (!isSame || ownOrder.join(' ') !== order || (base === 'rtl') !== (paragraphLevel === '1'))
        faults.push(line)
      count++
    }
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(91_000)
  })

  test('every order of bidi classes in BidiTest has the levels and the order that UAX 9 gives it', () => {
    const faults: string[] = []
    let count = 0
    let levels: readonly string[] = []
    let order = ''
    for (const line of unicodeFile(bidiClassFile) ?? []) {
      const [name = '', rest = ''] = line.split(':')
      if (name === '@Levels') levels = rest.trim().split(' ')
      else if (name === '@Reorder') order = rest.trim()
      if (name.startsWith('@')) continue
      const [classes = '', directions = ''] = line.split('; ')
      const text = classes.split(' ').map(characterOfClass).join('')
      for (const base of basesOf(text, Number(directions))) {
        const found = embeddingLevels(text, base)
        const shown = levels.flatMap((level, at) => (level === 'x' ? [] : [at]))
        const isSame = shown.every((at) =>
          found === undefined ? Number(levels[at]) % 2 === 0 : found[at] === Number(levels[at]),
        )
        const ownOrder = visualOrder(shown.map((at) => found?.[at] ?? 0)).map((at) => shown[at])
        if (!isSame || ownOrder.join(' ') !== order) faults.push(`${base} ${line}`)
        count++
      }
    }
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(770_000)
  })

  test('every text of GraphemeBreakTest parts where UAX 29 says, but for characters that no font has', () => {
    const reasons = {
      'a line end, which cleaning makes a space': 0,
      'a character that no font has stands alone': 0,
      'a sign that Unicode 17 takes for no pictograph any more': 0,
    }
    const faults: string[] = []
    for (const { line, text, offsets } of breakTests(graphemeFile) ?? []) {
      if (offsetsOf(graphemesOf(text)).join() === offsets.join()) continue
      if (text.includes('\r\n')) reasons['a line end, which cleaning makes a space']++
      else if (text === '\u2701\u200D\u2701')
        reasons['a sign that Unicode 17 takes for no pictograph any more']++
      else if (hasUnknown(text)) reasons['a character that no font has stands alone']++
      else faults.push(line)
    }
    expect(faults).toEqual([])
    expect(reasons['a line end, which cleaning makes a space']).toBe(2)
    expect(reasons['a character that no font has stands alone']).toBeLessThan(110)
  })

  test('every text of LineBreakTest may end where UAX 14 says, but for five reasons', () => {
    const counts: Record<string, number> = {}
    const faults: string[] = []
    for (const { line, text, offsets } of breakTests(lineFile) ?? []) {
      const own = new Set([...allBreaksOf(text).map(({ offset }) => offset), text.length])
      const expected = new Set(offsets)
      for (const offset of offsetsOf(Array.from(text))) {
        if (own.has(offset) === expected.has(offset)) continue
        const reason = lineReasons.find(([, isReason]) => isReason(text, offset))?.[0]
        if (reason === undefined)
          faults.push(`${own.has(offset) ? 'breaks' : 'does not break'} at ${offset}: ${line}`)
        else counts[reason] = (counts[reason] ?? 0) + 1
      }
    }
    expect(faults).toEqual([])
    expect(counts).toEqual({
      'numbers by the pairs of LB25, where the file has the tailoring of example 7 in UAX 14': 30,
      'a bracket that cleaning replaces by its canonical equivalent': 25,
      'a quotation mark between spaces stays with what it encloses': 2,
      'a reserved character that no font has': 1,
      'a dash starts no line': 69,
    })
  })

  test('the short way of plain prose finds the same places', () => {
    for (const text of (breakTests(lineFile) ?? []).map((sample) => cleanText(sample.text)))
      expect(breaksOf(text).map(({ offset }) => offset)).toEqual(
        allBreaksOf(text).map(({ offset }) => offset),
      )
  })
})

const mark = '[\\p{M}\\u200D]*'
/** LB25 binds these pairs wherever they stand; the example binds them inside of numbers only. */
const numberPair = new RegExp(`(?:[,./:;]${mark}\\|\\p{Nd}|[)}]${mark}\\|[%$]|[%$\\\\]${mark}\\|[([{])`, 'u')

/** Each deviation with its reason, and whether it is the reason for one at this offset. */
const lineReasons: readonly (readonly [string, (text: string, offset: number) => boolean])[] = [
  [
    'a bracket that cleaning replaces by its canonical equivalent',
    (text, offset) => text[offset] === '\u2329' && !cleanText(text).includes('\u2329'),
  ],
  [
    'a quotation mark between spaces stays with what it encloses',
    (text, offset) => /[«»]/.test(text.slice(offset - 2, offset + 2)) && text[offset - 1] === ' ',
  ],
  ['a dash starts no line', (text, offset) => text[offset] === '\u2014'],
  ['a reserved character that no font has', (text, offset) => hasUnknown(text.slice(offset - 2, offset))],
  [
    'numbers by the pairs of LB25, where the file has the tailoring of example 7 in UAX 14',
    (text, offset) => numberPair.test(`${text.slice(0, offset)}|${text.slice(offset)}`),
  ],
]

/** Marks and joiners belong to what stands before them, whether a font has them or not. */
function hasUnknown(text: string): boolean {
  return Array.from(text).some(
    (character) => !/[\p{M}\p{Cf}]/u.test(character) && !hasGlyph(character.codePointAt(0) ?? 0),
  )
}
