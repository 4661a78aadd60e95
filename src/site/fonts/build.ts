import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { packageFile } from '../../lib/package-files.ts'

/**
 * `bun run build:fonts`: writes the fonts of our own pages into this folder, cut from those that cards are drawn with, each
 * with its licence. They are kept in the repository, because the cutting needs packages that a server does without.
 */
const target = dirname(fileURLToPath(import.meta.url))

const ascii = characters(0x20, 0x7e)
const latin1 = characters(0xa0, 0xff)
const punctuation = '–—‘’“”…•·×→←↑↓−≤≥✓€'

/** A number pins an axis. */
const cuts = [
  {
    // One weight axis for text of 12 to 17 px, with letters for names of Western Europe.
    name: 'inter',
    from: 'inter-ui',
    file: 'variable/InterVariable.woff2',
    licence: 'LICENSE.txt',
    characters: ascii + latin1 + punctuation,
    features: ['kern', 'tnum', 'ccmp', 'mark'],
    axes: { opsz: 14, wght: { min: 400, max: 700 } },
  },
  {
    name: 'newsreader',
    from: '@fontsource-variable/newsreader',
    file: 'files/newsreader-latin-opsz-normal.woff2',
    licence: 'LICENSE',
    characters: ascii + punctuation,
    features: ['kern', 'liga', 'lnum'],
    axes: { opsz: 36, wght: 500 },
  },
]

for (const { name, from, file, licence, characters, features, axes } of cuts) {
  const bytes = await subsetFont(readFileSync(packageFile(from, file)), characters, {
    targetFormat: 'woff2',
    noHinting: true,
    keepFeatures: features,
    variationAxes: axes,
  })
  writeFileSync(join(target, `${name}.woff2`), bytes)
  copyFileSync(packageFile(from, licence), join(target, `${name}-OFL.txt`))
  console.log(`${name}.woff2: ${bytes.length} bytes`)
}

function characters(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
