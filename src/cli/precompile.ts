import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { projectFile } from '../lib/package-files.ts'
import { precompiledFolder, readPrecompiled, sourceStamp } from './precompiled.ts'

/** `bun run precompile`: the program as bytecode, until a source changes. The list is written last, so nobody reads half of it. */
const startedMs = Date.now()
const previous = readPrecompiled()
const folder = join(precompiledFolder, randomUUID())
const { metafile } = await Bun.build({
  entrypoints: [projectFile('src/cli/start.ts')],
  outdir: folder,
  target: 'bun',
  bytecode: true,
  // Bun makes bytecode of ES modules for executables only. This format keeps the path of each source, too.
  format: 'cjs',
  // A native module stays where it is, because it is loaded later, when this folder may be gone.
  external: ['@resvg/resvg-js'],
  metafile: true,
})
const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => resolve(path))
const sources = [...inputs, projectFile('bun.lock'), projectFile('tsconfig.json')]
const changed = sources.find((path) => statSync(path).mtimeMs >= Math.floor(startedMs / 1000) * 1000)
if (changed !== undefined) {
  rmSync(folder, { recursive: true })
  console.error(`${changed} was changed while it was compiled. Run this again.`)
  process.exit(1)
}
const list = {
  program: join(folder, 'start.js'),
  bunVersion: Bun.version,
  root: projectFile(''),
  sources: sources.map((path) => [path, sourceStamp(path)]),
}
writeFileSync(join(folder, 'list.json'), JSON.stringify(list))
renameSync(join(folder, 'list.json'), join(precompiledFolder, 'list.json'))
if (previous !== undefined) rmSync(dirname(previous.program), { recursive: true, force: true })
console.log(`${list.program}, of ${sources.length} sources`)
