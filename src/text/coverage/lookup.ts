import { brotliDecompressSync } from 'node:zlib'
import { packedCoverage } from './table.generated.ts'

/** As `build.ts` writes it: `runs` holds triples of gap, length and index into `files`. */
export interface PackedGroup {
  readonly name: string
  readonly files: readonly (readonly [packageName: string, file: string])[]
  readonly runs: readonly number[]
}

/** One file of one package that the engine may load. */
export interface FontFile {
  readonly packageName: string
  readonly file: string
}

const groups = unpack()

/** The font file in this group that has the code point. */
export function fontFileFor(group: string, codePoint: number): FontFile | undefined {
  const found = groups.get(group)
  const index = found?.pages.get(codePoint >> 8)?.[codePoint & 0xff] ?? 0
  return index === 0 ? undefined : found?.files[index - 1]
}

/** Whether any font has the code point. */
export function hasGlyph(codePoint: number): boolean {
  for (const { pages } of groups.values())
    if ((pages.get(codePoint >> 8)?.[codePoint & 0xff] ?? 0) > 0) return true
  return false
}

/** Every font file that a text can need. */
export function allFontFiles(): FontFile[] {
  return [...groups.values()].flatMap(({ files }) => files)
}

function unpack() {
  const json = brotliDecompressSync(Buffer.from(packedCoverage, 'base64')).toString()
  const packed: readonly PackedGroup[] = JSON.parse(json)
  return new Map(
    packed.map(({ name, files, runs }) => [
      name,
      { files: files.map(([packageName, file]) => ({ packageName, file })), pages: toPages(runs) },
    ]),
  )
}

/** Index of the file plus one for each code point, in pages of 256. */
function toPages(runs: readonly number[]): Map<number, Uint8Array> {
  const pages = new Map<number, Uint8Array>()
  let point = 0
  for (let index = 0; index < runs.length; index += 3) {
    point += runs[index] ?? 0
    for (const end = point + (runs[index + 1] ?? 0); point < end; point++) {
      const page = pages.get(point >> 8) ?? new Uint8Array(256)
      page[point & 0xff] = (runs[index + 2] ?? 0) + 1
      pages.set(point >> 8, page)
    }
  }
  return pages
}
