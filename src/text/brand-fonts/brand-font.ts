import { weakMemo } from '../../lib/memo.ts'
import type { FontFile } from '../font-files.ts'
import { isWordLetter } from '../word-letters.ts'
import { FontRefused } from './font-limits.ts'
import { bytesOf, readTables } from './sfnt.ts'

/** A font uploaded for a brand. Equal keys mean equal fonts. */
export type CardFont = BrandFont | StoredFont

export interface BrandFont {
  /** The SHA-256 of `bytes`, in hex. */
  readonly key: string
  /** The font in a form that the engine loads: sfnt or WOFF2. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A font in the database. Its bytes are held by nobody but the engine, which reads them again after it dropped them. */
export interface StoredFont {
  readonly key: string
  /** Facts that the check found, as `factsText` returns them. */
  readonly facts: string | undefined
  read(): Promise<Uint8Array>
}

/** All of a font. Rejects where the database does not answer. */
export async function fontBytes(font: CardFont): Promise<Uint8Array> {
  return 'bytes' in font ? font.bytes : font.read()
}

export type FontSource = FontFile | CardFont

export function isBrandFont(source: FontSource): source is CardFont {
  return 'key' in source
}

/** Facts that the check found about a font. They are stored in the font itself, as a table of our own. */
export interface FontFacts {
  /** Family name in the font's own table; absent if there is none. */
  readonly family?: string
  readonly unitsPerEm: number
  /** The code points that it draws, as `writeRanges` writes them. */
  readonly coverage: string
  /** Marks of U+0300 to U+036F find their place on these letters. */
  readonly marks: readonly { readonly marks: string; readonly letters: string }[]
  readonly axes: readonly FontAxis[]
  /** That a static font looks like, for ours beside it; absent where the weight can be chosen, or not measured. */
  readonly weight?: number
}

export interface FontAxis {
  /** Four letters, such as `wght`. */
  readonly tag: string
  readonly min: number
  readonly usual: number
  readonly max: number
}

export const factsTag = 'mtmk'

/** Facts about a font that the engine needs. Throws for bytes that did not come from `readFont`. */
export const factsOf = weakMemo(unpackFacts)

/** The facts in a font as they are written there; undefined for bytes that did not come from `readFont`. */
export function factsText(bytes: Uint8Array): string | undefined {
  try {
    const table = readTables(bytes).get(factsTag)
    return table && new TextDecoder().decode(bytesOf(table))
  } catch (error) {
    if (error instanceof FontRefused) return undefined
    throw error
  }
}

function unpackFacts(font: CardFont) {
  const text = 'bytes' in font ? factsText(font.bytes) : font.facts
  if (text === undefined) throw new Error('The font was not checked')
  const facts: FontFacts = JSON.parse(text)
  const marks = facts.marks.map(({ marks, letters }) => ({
    isMark: readRanges(marks),
    places: readRanges(letters),
  }))
  return {
    ...facts,
    has: readRanges(facts.coverage),
    /** True of what was not asked. */
    placesMark: (letter: number, mark: number) =>
      !isGeneralMark(mark) ||
      !isWordLetter(letter) ||
      marks.some(({ isMark, places }) => isMark(mark) && places(letter)),
  }
}

/** Combining marks that several scripts share. */
export function isGeneralMark(point: number): boolean {
  return point >= 0x300 && point <= 0x36f && point !== graphemeJoiner
}

const graphemeJoiner = 0x34f

/** Sorted code points as text: ranges in hex, `20-7e,a0,a9`. */
export function writeRanges(points: readonly number[]): string {
  const ranges: string[] = []
  for (let index = 0; index < points.length; ) {
    const first = points[index] ?? 0
    let last = first
    while (points[index + 1] === last + 1) last = points[++index] ?? last
    ranges.push(first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`)
    index++
  }
  return ranges.join(',')
}

export function readRanges(written: string): (point: number) => boolean {
  /** One bit for each of 256 code points. */
  const pages = new Map<number, Uint32Array>()
  for (const range of written === '' ? [] : written.split(',')) {
    const [first = 0, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16))
    for (let point = first; point <= last; point++) {
      const page = pages.get(point >> 8) ?? new Uint32Array(8)
      const word = (point & 0xff) >> 5
      page[word] = (page[word] ?? 0) | (1 << (point & 31))
      pages.set(point >> 8, page)
    }
  }
  return (point) => (((pages.get(point >> 8)?.[(point & 0xff) >> 5] ?? 0) >>> (point & 31)) & 1) === 1
}

export type BrandFace = ReturnType<typeof createBrandFace>

const packagePrefix = 'brand '

/** A brand's font as what words are set in: a face before all of ours. */
export const brandFaceOf = weakMemo(createBrandFace)

export function isBrandFile({ packageName }: FontFile): boolean {
  return packageName.startsWith(packagePrefix)
}

function createBrandFace(font: CardFont) {
  const { has, placesMark } = factsOf(font)
  const packageName = `${packagePrefix}${font.key}`
  /** The file that items name. It has no bytes, so that no cached item keeps a font in memory. */
  const file: FontFile = { packageName, file: '' }
  const files = [file]
  return {
    key: font.key,
    file,
    has,
    packageName,
    filesFor: (point: number): readonly FontFile[] => (has(point) ? files : []),
    placesMark: (_file: FontFile, letter: number, mark: number) => placesMark(letter, mark),
    /** True of a font of Chinese or Japanese, whose marks are as wide as its letters. */
    isHan: has(0x3001) && has(0x3002),
  }
}
