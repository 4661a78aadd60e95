/** Writes `table.generated.ts` from the fonts' real character maps: `bun src/text/coverage/build.ts`. */
import { readdir, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { marksByLetters } from '../brand-fonts/try-font.ts'
import fontSources from '../data/font-sources.json' with { type: 'json' }
import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { unpackFont, woff2Ready } from '../woff2.ts'
import type { PackedGroup } from './lookup.ts'

await woff2Ready

/** Font files that are asked together: the first one that has a character draws it. */
interface FontSource {
  readonly package: string
  /** A path in which `{a,b}` stands for one of several names, and `*` for a number. */
  readonly files: string
  /** For bold weights, of a face that is not variable. */
  readonly bold?: string
  /** For characters alone that no source before it has. */
  readonly isForRest?: boolean
}

/** Groups whose letters carry the general marks of U+0300 to U+036F. */
const withWordLetters = /^(?:sans|serif(?!-scripts|-ja|-sc|-tc|-ko)|mono|more|wide)/
const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))

const groups: Record<string, string> = {}
const owned = new Set<number>()
for (const [name, sources] of Object.entries<readonly FontSource[]>(fontSources)) {
  const files: PackedGroup['files'][number][] = []
  const marks: PackedGroup['marks'][number][] = []
  const ownersOf = new Map<number, number[]>()
  for (const { package: packageName, files: pattern, bold, isForRest } of sources) {
    for (const file of await expand(packageName, pattern)) {
      const faces = [file, ...(bold === undefined ? [] : [bold])].map((path) =>
        harfbuzz.createFace(unpackFont(readFontFileSync({ packageName, file: path }))),
      )
      const [points = [], boldPoints = points] = faces.map((face) => face.codePoints())
      const drawn = new Set(boldPoints)
      const own = points.filter(
        (point) => !isPrivate(point) && drawn.has(point) && !(isForRest && owned.has(point)),
      )
      for (const point of own) {
        owned.add(point)
        ownersOf.set(point, [...(ownersOf.get(point) ?? []), files.length])
      }
      if (own.length > 0 && withWordLetters.test(name)) {
        const fonts = faces.map((face) => face.font({ wght: 400, opsz: 14 }))
        for (const [letters, placed] of marksByLetters(fonts, points))
          marks.push([files.length, placed, letters])
      }
      if (own.length > 0) files.push(bold === undefined ? [packageName, file] : [packageName, file, bold])
      for (const face of faces) face.free()
    }
  }
  const group: PackedGroup = { files, ...runsOf(ownersOf), marks }
  groups[name] = brotliCompressSync(JSON.stringify(group)).toString('base64')
}

const rows = Object.entries(groups).map(([name, packed]) => `  '${name}':\n    '${packed}',\n`)
await writeFile(
  new URL('table.generated.ts', import.meta.url),
  `/** Written by build.ts: which font file has which characters, and places which marks. Brotli of JSON, base64. */
export const packedGroups: Readonly<Record<string, string>> = {
${rows.join('')}}
`,
)
console.log(`${rows.length} groups, ${rows.join('').length} characters`)

/** Private characters, which are left out because their meaning differs from font to font. */
function isPrivate(point: number): boolean {
  return (point >= 0xe000 && point <= 0xf8ff) || point >= 0xf0000
}

async function expand(packageName: string, pattern: string): Promise<readonly string[]> {
  const [before = '', names = '', after = ''] = pattern.split(/[{}]/)
  if (names !== '') return names.split(',').map((name) => before + name + after)
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return [pattern]
  const folder = await readdir(new URL(`../../../node_modules/${packageName}/files`, import.meta.url))
  return folder
    .map((file) => Number(`files/${file}`.replace(start, '').replace(end, '')))
    .filter(Number.isInteger)
    .sort((a, b) => a - b)
    .map((slice) => start + slice + end)
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
