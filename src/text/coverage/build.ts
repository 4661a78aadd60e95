/** Writes `table.generated.ts` from the fonts' real character maps: `bun src/text/coverage/build.ts`. */
import { readdir, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { isGeneralMark } from '../brand-fonts/brand-font.ts'
import { createMarkJudge } from '../brand-fonts/try-font.ts'
import { type FontFile, harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { unpackFont, woff2Ready } from '../woff2.ts'
import { isWordLetter } from '../word-letters.ts'
import type { PackedGroup, PackedMarks } from './lookup.ts'
import { fontSources } from './sources.ts'

await woff2Ready

/** Groups whose letters carry the general marks of U+0300 to U+036F. */
const withWordLetters = /^(?:sans|serif(?!-scripts|-ja|-sc|-tc|-ko)|mono|more|wide)/
const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))

const groups: PackedGroup[] = []
const marks: PackedMarks[] = []
const owned = new Set<number>()
for (const [name, sources] of Object.entries(fontSources)) {
  const files: PackedGroup['files'][number][] = []
  const ownersOf = new Map<number, number[]>()
  for (const { packageName, files: patterns, boldFile, isForRest } of sources) {
    for (const file of (await Promise.all(patterns.map((pattern) => expand(packageName, pattern)))).flat()) {
      const boldPoints = boldFile && new Set(codePointsOf({ packageName, file: boldFile }))
      const points = codePointsOf({ packageName, file })
        .filter((point) => !isPrivate(point) && (!boldPoints || boldPoints.has(point)))
        .filter((point) => !isForRest || !owned.has(point))
      if (points.length === 0) continue
      for (const point of points) {
        owned.add(point)
        ownersOf.set(point, [...(ownersOf.get(point) ?? []), files.length])
      }
      const faces = [{ packageName, file }, ...(boldFile ? [{ packageName, file: boldFile }] : [])]
      if (withWordLetters.test(name)) marks.push(...packedMarks([name, files.length], faces))
      files.push(boldFile === undefined ? [packageName, file] : [packageName, file, boldFile])
    }
  }
  groups.push({ name, files, ...runsOf(ownersOf) })
}

const packed = pack(groups)
const target = new URL('table.generated.ts', import.meta.url)
await writeFile(
  target,
  `/** Written by build.ts: which font file has which characters, and places which marks. Brotli of JSON, base64. */
export const packedCoverage =
  '${packed}'
export const packedMarks =
  '${pack(marks)}'
`,
)
console.log(
  `${groups.length} groups, ${groups.flatMap(({ files }) => files).length} files, ${packed.length} characters`,
)

function pack(data: unknown): string {
  return brotliCompressSync(JSON.stringify(data)).toString('base64')
}

/** The letters that each mark finds its place on in all of these files, marks of the same letters together. */
function packedMarks([group, index]: [string, number], fonts: readonly FontFile[]): PackedMarks[] {
  const [first, ...others] = fonts.map(markedLetters)
  const byLetters = new Map<string, [number[], number[]]>()
  for (const [mark, letters] of first ?? []) {
    const all = letters.filter((letter) => others.every((other) => other.get(mark)?.includes(letter)))
    const same = byLetters.get(JSON.stringify(all))
    if (same === undefined) byLetters.set(JSON.stringify(all), [[mark], all])
    else same[0].push(mark)
  }
  return [...byLetters.values()].map(([points, letters]) => [group, index, points, rangesOf(letters)])
}

function rangesOf(points: readonly number[]): number[] {
  const ranges: number[] = []
  let end = 0
  for (const point of points) {
    if (point === end && ranges.length > 0) ranges[ranges.length - 1] = (ranges.at(-1) ?? 0) + 1
    else ranges.push(point - end, 1)
    end = point + 1
  }
  return ranges
}

function markedLetters(file: FontFile): Map<number, readonly number[]> {
  const face = harfbuzz.createFace(unpackFont(readFontFileSync(file)))
  const points = face.codePoints()
  const letters = points.filter(isWordLetter)
  const marks = points.filter(isGeneralMark)
  const attaches = createMarkJudge(face.font({ wght: 400, opsz: 14 }), marks)
  const found = new Map(marks.map((mark) => [mark, letters.filter((letter) => attaches(letter, mark))]))
  face.free()
  return found
}

function codePointsOf(font: FontFile): readonly number[] {
  const face = harfbuzz.createFace(unpackFont(readFontFileSync(font)))
  const points = face.codePoints()
  face.free()
  return points
}

/** Private characters, which are left out because their meaning differs from font to font. */
function isPrivate(point: number): boolean {
  return (point >= 0xe000 && point <= 0xf8ff) || point >= 0xf0000
}

async function expand(packageName: string, pattern: string): Promise<string[]> {
  if (!pattern.includes('*')) return [pattern]
  const [before = '', after = ''] = pattern.split('*')
  const directory = new URL(`../../../node_modules/${packageName}/files`, import.meta.url)
  const files = (await readdir(directory)).map((file) => `files/${file}`)
  const slices = files.map((file) => Number(file.replace(before, '').replace(after, '')))
  return slices
    .filter(Number.isInteger)
    .sort((a, b) => a - b)
    .map((slice) => `${before}${slice}${after}`)
}

/** Every set of files that some code point has, and triples: distance from the end of the run before, length, index of the set. */
function runsOf(ownersOf: ReadonlyMap<number, readonly number[]>): Pick<PackedGroup, 'owners' | 'runs'> {
  const sets = new Map<string, number>()
  const runs: number[] = []
  let end = 0
  let last = -1
  for (const [point, owners] of [...ownersOf].sort(([a], [b]) => a - b)) {
    const key = JSON.stringify(owners)
    const set = sets.get(key) ?? sets.size
    sets.set(key, set)
    if (point === end && set === last) {
      runs[runs.length - 2] = (runs[runs.length - 2] ?? 0) + 1
    } else {
      runs.push(point - end, 1, set)
      last = set
    }
    end = point + 1
  }
  return { owners: [...sets.keys()].map((key): number[] => JSON.parse(key)), runs }
}
