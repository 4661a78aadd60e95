import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync } from 'node:zlib'
import { emojiFile, type FontFile, harfbuzzFile, hyphenationFiles } from '../font-files.ts'
import { isWordLetter } from '../word-letters.ts'
import { packedCoverage, packedMarks } from './table.generated.ts'

export interface PackedGroup {
  readonly name: string
  /** `boldFile` where bold weights have a file of their own. */
  readonly files: readonly (readonly [packageName: string, file: string, boldFile?: string])[]
  /** Indices into `files`: every set of files that some code point has. */
  readonly owners: readonly (readonly number[])[]
  /** Triples of gap, length and index into `owners`. */
  readonly runs: readonly number[]
}

/** Marks that a file of a group, by its index, places on the same letters: these as pairs of gap and length. */
export type PackedMarks = readonly [group: string, file: number, marks: number[], letters: number[]]

type Group = ReturnType<typeof toGroup>

const expandAsync = promisify(brotliDecompress)

let unpacked: ReadonlyMap<string, Group> | undefined
let lettersByMark: ReadonlyMap<FontFile, ReadonlyMap<number, readonly number[]>> | undefined

/** The font files in this group that have the code point, the preferred one first. */
export function fontFilesFor(group: string, codePoint: number): readonly FontFile[] {
  const found = groups().get(group)
  return found?.owners[found.pages.get(codePoint >> 8)?.[codePoint & 0xff] ?? 0] ?? []
}

export function fontFileFor(group: string, codePoint: number): FontFile | undefined {
  return fontFilesFor(group, codePoint)[0]
}

/** The faces of a group by the names of their packages, the preferred one first. */
export function facesOf(group: string): readonly string[] {
  return groups().get(group)?.faces ?? []
}

/** True where a font places a mark on a letter, and of what the table does not know. */
export function placesMark(file: FontFile, letter: number, mark: number): boolean {
  lettersByMark ??= unpackMarks()
  const letters = lettersByMark.get(file)?.get(mark)
  if (letters === undefined || !isWordLetter(letter)) return true
  let point = 0
  for (let index = 0; index < letters.length; index += 2) {
    point += letters[index] ?? 0
    if (letter < point) return false
    point += letters[index + 1] ?? 0
    if (letter < point) return true
  }
  return false
}

/** True where any font has the code point. */
export function hasGlyph(codePoint: number): boolean {
  for (const { pages } of groups().values())
    if ((pages.get(codePoint >> 8)?.[codePoint & 0xff] ?? 0) > 0) return true
  return false
}

export function allFontFiles(): FontFile[] {
  return [...groups().values()].flatMap(({ files }) =>
    files.flatMap((file) => (file.bold === undefined ? [file] : [file, file.bold])),
  )
}

/** Everything that the text engine reads from the disk, for a build that ships it beside an executable. */
export function listFontFiles(): FontFile[] {
  return [...allFontFiles(), harfbuzzFile, emojiFile, ...Object.values(hyphenationFiles)]
}

/** Unpacks the tables in several turns of the event loop; without it, the first text does it in one. */
export async function loadCoverage(): Promise<void> {
  if (unpacked !== undefined && lettersByMark !== undefined) return
  const json = await expandAsync(Buffer.from(packedCoverage, 'base64'))
  const packed: readonly PackedGroup[] = JSON.parse(json.toString())
  const loaded = new Map<string, Group>()
  for (const group of packed) {
    await setImmediate()
    loaded.set(group.name, toGroup(group))
  }
  unpacked ??= loaded
  await setImmediate()
  lettersByMark ??= unpackMarks()
}

function groups(): ReadonlyMap<string, Group> {
  if (unpacked !== undefined) return unpacked
  const packed: readonly PackedGroup[] = unbrotli(packedCoverage)
  unpacked = new Map(packed.map((group) => [group.name, toGroup(group)]))
  return unpacked
}

function unbrotli(packed: string) {
  return JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString())
}

function toGroup(packed: PackedGroup) {
  const files = packed.files.map(
    ([packageName, file, bold]): FontFile =>
      bold === undefined ? { packageName, file } : { packageName, file, bold: { packageName, file: bold } },
  )
  const owners = packed.owners.map((set) => set.flatMap((index) => files[index] ?? []))
  return {
    files,
    faces: [...new Set(files.map(({ packageName }) => packageName))],
    /** None, then every set of files. */
    owners: [[], ...owners],
    pages: toPages(packed.runs, owners.length),
  }
}

function unpackMarks() {
  const packed: readonly PackedMarks[] = unbrotli(packedMarks)
  const found = new Map<FontFile, Map<number, readonly number[]>>()
  for (const [group, index, marks, letters] of packed) {
    const file = groups().get(group)?.files[index]
    if (file === undefined) continue
    const byMark = found.get(file) ?? new Map<number, readonly number[]>()
    for (const mark of marks) byMark.set(mark, letters)
    found.set(file, byMark)
  }
  return found
}

/** Index of the set of files plus one for each code point, in pages of 256. */
function toPages(runs: readonly number[], sets: number): Map<number, Uint8Array | Uint16Array> {
  const pages = new Map<number, Uint8Array | Uint16Array>()
  let point = 0
  for (let index = 0; index < runs.length; index += 3) {
    point += runs[index] ?? 0
    for (const end = point + (runs[index + 1] ?? 0); point < end; point++) {
      const page = pages.get(point >> 8) ?? (sets < 256 ? new Uint8Array(256) : new Uint16Array(256))
      page[point & 0xff] = (runs[index + 2] ?? 0) + 1
      pages.set(point >> 8, page)
    }
  }
  return pages
}
