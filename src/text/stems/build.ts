/** Writes `table.generated.ts` from the fonts themselves: `bun src/text/stems/build.ts`. */
import { writeFile } from 'node:fs/promises'
import { type FontFile, fontFilesFor } from '../coverage/lookup.ts'
import { fontSources } from '../coverage/sources.ts'
import { harfbuzzFile, readFontFileSync } from '../font-files.ts'
import { createHarfBuzz } from '../harfbuzz.ts'
import { hasOpticalSizes } from '../style-fonts.ts'
import { unpackFont, woff2Ready } from '../woff2.ts'
import { faceName } from './face-name.ts'
import { measureStem, stemLetters } from './measure-stem.ts'

await woff2Ready

const weights = Array.from({ length: 17 }, (_, at) => 100 + 50 * at)
const [textPoints, displayPoints] = [14, 72]
const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))

const stems = new Map<string, readonly (readonly number[])[]>()
for (const group of Object.keys(fontSources)) {
  for (const probe of stemLetters) {
    for (const file of fontFilesFor(group, probe.codePointAt(0) ?? 0)) {
      const isVariable = /wght|opsz|variable/.test(file.file)
      if (isVariable && !stems.has(faceName(file))) stems.set(faceName(file), measure(file, probe))
    }
  }
}

const rows = [...stems].map(([name, measured]) => `  '${name}': ${JSON.stringify(measured)},`)
await writeFile(
  new URL('table.generated.ts', import.meta.url),
  `/** Written by build.ts: upright strokes of faces in 1/1000 em at the weights 100, 150 … 900, for text and for display. */
// biome-ignore format: a table
export const stems: Readonly<Record<string, readonly (readonly number[])[]>> = {
${rows.join('\n')}
}
`,
)

function measure(file: FontFile, letter: string): readonly (readonly number[])[] {
  const face = harfbuzz.createFace(unpackFont(readFontFileSync(file)))
  const sizes = hasOpticalSizes(file) ? [textPoints, displayPoints] : [textPoints]
  const measured = sizes.map((opsz) =>
    weights.map((wght) => Math.round(measureStem(face.font({ wght, opsz }), letter) ?? 0)),
  )
  face.free()
  return measured
}
