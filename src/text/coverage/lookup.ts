import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { memo } from '../../lib/memo.ts'
import { readRanges } from '../brand-fonts/brand-font.ts'
import { emojiFile, type FontFile, harfbuzzFile, hyphenationFiles } from '../font-files.ts'
import { isWordLetter } from '../word-letters.ts'
import { packedGroups } from './table.generated.ts'

export interface PackedGroup {
  /** `boldFile` where bold weights have a file of their own. */
  readonly files: readonly (readonly [packageName: string, file: string, boldFile?: string])[]
  /** Indices into `files`: every set of files that some code point has. */
  readonly owners: readonly (readonly number[])[]
  /** Triples of gap, length and index into `owners`. */
  readonly runs: readonly number[]
  /** Marks that a file, by its index, places on the same letters, as `writeRanges` writes them. */
  readonly marks: readonly (readonly [file: number, marks: readonly number[], letters: string])[]
}

/** A face that may draw a letter: files of one package in one group, or a brand's font. */
export interface Face {
  readonly packageName: string
  /** The files that have a code point, the preferred one first. */
  filesFor(point: number): readonly FontFile[]
  /** True where a font places a mark on a letter, and of what the table does not know. */
  placesMark(file: FontFile, letter: number, mark: number): boolean
}

const groupNames: readonly string[] = Object.keys(packedGroups)
const groupOf = memo((name: string) => toGroup(unpack(packedGroups[name] ?? '')))
const isIn = memo(readRanges)

/** The faces of a group, the preferred one first. */
export function facesOf(group: string): readonly Face[] {
  return groupOf(group).faces
}

/** The font files in this group that have the code point, the preferred one first. */
export function fontFilesFor(group: string, point: number): readonly FontFile[] {
  return groupOf(group).filesFor(point)
}

export function fontFileFor(group: string, point: number): FontFile | undefined {
  return fontFilesFor(group, point)[0]
}

/** True where any font has the code point. */
export function hasGlyph(point: number): boolean {
  return groupNames.some((group) => fontFileFor(group, point) !== undefined)
}

export function allFontFiles(): FontFile[] {
  return groupNames
    .flatMap((group) => groupOf(group).files)
    .flatMap((file) => (file.bold === undefined ? [file] : [file, file.bold]))
}

/** Everything that the text engine reads from the disk, for a build that ships it beside an executable. */
export function listFontFiles(): FontFile[] {
  return [...allFontFiles(), harfbuzzFile, emojiFile, ...Object.values(hyphenationFiles)]
}

/** Unpacks every group in a turn of the event loop of its own; without it, the first text that asks one does it. */
export async function loadCoverage(): Promise<void> {
  for (const group of groupNames) {
    await setImmediate()
    groupOf(group)
  }
}

function unpack(packed: string): PackedGroup {
  return JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString())
}

function toGroup({ files: packedFiles, owners: sets, runs, marks }: PackedGroup) {
  const files = packedFiles.map(
    ([packageName, file, bold]): FontFile =>
      bold === undefined ? { packageName, file } : { packageName, file, bold: { packageName, file: bold } },
  )
  const pages = toPages(runs, sets.length)
  const lettersByMark = new Map(files.map((file) => [file, new Map<number, string>()]))
  for (const [index, points, letters] of marks)
    for (const mark of points) lettersByMark.get(files[index] ?? harfbuzzFile)?.set(mark, letters)

  /** Looks code points up among those files of the group that `isMember` takes. */
  function lookup(isMember: (file: FontFile) => boolean) {
    /** None, then every set of files. */
    const owners = [[], ...sets.map((set) => set.flatMap((index) => files[index] ?? []).filter(isMember))]
    return (point: number): readonly FontFile[] => owners[pages.get(point >> 8)?.[point & 0xff] ?? 0] ?? []
  }

  function placesMark(file: FontFile, letter: number, mark: number): boolean {
    const letters = lettersByMark.get(file)?.get(mark)
    return letters === undefined || !isWordLetter(letter) || isIn(letters)(letter)
  }

  const packages = [...new Set(files.map(({ packageName }) => packageName))]
  return {
    files,
    filesFor: lookup(() => true),
    faces: packages.map((name): Face => {
      return { packageName: name, filesFor: lookup(({ packageName }) => packageName === name), placesMark }
    }),
  }
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
