/** Writes `table.generated.ts` from the fonts' real character maps: `bun src/text/coverage/build.ts`. */
import { readdir, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { unpackWoff2, woff2Ready } from '../woff2.ts'
import type { PackedGroup } from './lookup.ts'
import { fontSources } from './sources.ts'

const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))

await woff2Ready

const groups: PackedGroup[] = []
for (const [name, sources] of Object.entries(fontSources)) {
  const files: [string, string][] = []
  const owner = new Map<number, number>()
  for (const { packageName, files: patterns } of sources) {
    for (const file of (await Promise.all(patterns.map((pattern) => expand(packageName, pattern)))).flat()) {
      const face = harfbuzz.createFace(unpackWoff2(readFontFileSync({ packageName, file })))
      for (const point of face.codePoints()) {
        if (!isPrivate(point) && !owner.has(point)) owner.set(point, files.length)
      }
      face.free()
      files.push([packageName, file])
    }
  }
  groups.push({ name, files, runs: runsOf(owner) })
}

const packed = brotliCompressSync(JSON.stringify(groups)).toString('base64')
const target = new URL('table.generated.ts', import.meta.url)
await writeFile(
  target,
  `/** Written by build.ts: which font file has which characters. Brotli of JSON, base64. */\nexport const packedCoverage =\n  '${packed}'\n`,
)
console.log(
  `${groups.length} groups, ${groups.flatMap(({ files }) => files).length} files, ${packed.length} characters`,
)

/** What a font draws for a private character is nobody else's meaning of it. */
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

/** Triples: distance from the end of the run before, length, index of the file. */
function runsOf(owner: ReadonlyMap<number, number>): number[] {
  const runs: number[] = []
  let end = 0
  let last = -1
  for (const [point, file] of [...owner].sort(([a], [b]) => a - b)) {
    if (point === end && file === last) {
      runs[runs.length - 2] = (runs[runs.length - 2] ?? 0) + 1
    } else {
      runs.push(point - end, 1, file)
      last = file
    }
    end = point + 1
  }
  return runs
}
