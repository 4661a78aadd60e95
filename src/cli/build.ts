import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile, projectFile, shippedFolder } from '../lib/package-files.ts'
import { codecFiles } from '../raster/codec-files.ts'
import { examplePictureFiles } from '../site/example-brands.ts'
import { fontFiles } from '../site/fonts/fonts.ts'
import { guides } from '../site/guides/guides.ts'
import { listFontFiles } from '../text/list-font-files.ts'

/**
 * `bun run build [directory]`: builds one executable, and beside it a folder with the fonts, emoji and logos that it reads.
 * Migrations, pages and native modules are inside. The two can be moved anywhere together. `bun build --compile` gets two
 * entries, the program and the drawing worker; the program starts itself for callers' pictures and brands' fonts.
 */
const source = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = process.argv[2] ?? join(source, '../dist')
const executable = join(target, 'mintmark')

/** Files that the server reads at run time, besides fonts. A path that ends in a slash is a whole folder. */
const otherFiles = [
  { packageName: 'dejavu-fonts-ttf', file: 'ttf/DejaVuSans.ttf' },
  { packageName: 'dejavu-fonts-ttf', file: 'ttf/DejaVuSans-Bold.ttf' },
  { packageName: 'simple-icons', file: 'icons/' },
  { packageName: 'simple-icons', file: 'data/simple-icons.json' },
] as const

rmSync(join(target, shippedFolder), { recursive: true, force: true })
for (const { packageName, file } of [...listFontFiles(), ...codecFiles, ...otherFiles]) {
  const copy = join(target, shippedFolder, packageName, file)
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(packageFile(packageName, file), copy, { recursive: true, dereference: true })
}

const guideFiles = guides.map(({ file }) => file)
const ownFiles = [
  'client',
  'src/client/README.md',
  'LICENSE',
  ...fontFiles,
  ...guideFiles,
  ...examplePictureFiles,
]
for (const name of ownFiles)
  cpSync(projectFile(name), join(target, shippedFolder, 'mintmark', name), { recursive: true })

// The worker that draws PNGs is an entry point of its own, under the same root as the main one.
const result = await Bun.build({
  entrypoints: [join(source, 'main.ts'), join(source, 'raster/worker.ts')],
  root: source,
  target: 'bun',
  minify: { whitespace: true, syntax: true },
  // Parsed at build time, so that a start takes half as long. Bytecode of other formats cannot await at the top level.
  bytecode: true,
  format: 'esm',
  compile: { outfile: executable },
})
if (!result.success) throw new AggregateError(result.logs, 'The executable could not be built.')
console.log(`${executable} (${Math.round(statSync(executable).size / 1e6)} MB), beside it ${shippedFolder}/`)
