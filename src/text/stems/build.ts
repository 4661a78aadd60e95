import { writeFile } from 'node:fs/promises'
import type { Edge } from '../../svg/path-kit.ts'
import { heightsOf, letterEdges } from '../brand-fonts/try-font.ts'
import { fontFilesFor } from '../coverage/lookup.ts'
import fontSources from '../data/font-sources.json' with { type: 'json' }
import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz, type HarfBuzzFont } from '../harfbuzz.ts'
import { faceName, hasOpticalSizes } from '../style-fonts.ts'
import { unpackFont, woff2Ready } from '../woff2.ts'

/** Letters with an upright stroke at their right, which nothing crosses between `shares` of their height. */
const stemLetters = Array.from('이十\u09BE\u0A3E\u093E\u0ABEாาາ\u17B6וاიիlн')
const shares = [0.3, 0.35, 0.4]

export function measureStem(font: HarfBuzzFont, letter: string): number | undefined {
  const edges = letterEdges(font, letter)
  const { bottom, top } = heightsOf(edges)
  const widths = shares.flatMap((share) => strokeAt(edges, bottom + share * (top - bottom)) ?? [])
  return widths.sort((a, b) => a - b)[widths.length >> 1]
}

/** The width of the stroke furthest to the right at a height, by the non-zero rule. */
function strokeAt(edges: readonly Edge[], height: number): number | undefined {
  const crossings = edges.flatMap(([x1, y1, x2, y2]) =>
    y1 <= height !== y2 <= height
      ? [{ x: x1 + ((height - y1) / (y2 - y1)) * (x2 - x1), turn: y2 > y1 ? 1 : -1 }]
      : [],
  )
  let turns = 0
  let end: number | undefined
  for (const { x, turn } of crossings.sort((a, b) => b.x - a.x)) {
    if (turns === 0) end = x
    turns += turn
    if (turns === 0 && end !== undefined) return end - x
  }
  return undefined
}

/** Writes `stems.json` from the fonts themselves: `bun src/text/stems/build.ts`. */
async function writeTable(): Promise<void> {
  await woff2Ready
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const stems: Record<string, string> = {}
  for (const group of Object.keys(fontSources))
    for (const letter of stemLetters)
      for (const file of fontFilesFor(group, letter.codePointAt(0) ?? 0)) {
        if (!/wght|opsz|variable/.test(file.file) || faceName(file) in stems) continue
        const face = harfbuzz.createFace(unpackFont(readFontFileSync(file)))
        const sizes = hasOpticalSizes(file) ? [textPoints, displayPoints] : [textPoints]
        stems[faceName(file)] = sizes
          .map((opsz) =>
            weights.map((wght) => Math.round(measureStem(face.font({ wght, opsz }), letter) ?? 0)).join(' '),
          )
          .join(' / ')
        face.free()
      }
  await writeFile(new URL('../data/stems.json', import.meta.url), `${JSON.stringify(stems, undefined, 2)}\n`)
}

const weights = Array.from({ length: 17 }, (_, at) => 100 + 50 * at)
const [textPoints, displayPoints] = [14, 72]

if (import.meta.main) await writeTable()
