import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { projectFile } from '../lib/package-files.ts'
import {
  type Precompiled,
  precompiledFolder,
  precompiledList,
  programRoot,
  sourceStamp,
} from './precompiled.ts'

/**
 * `bun run precompile`: compiles the program once, so that every later start from source takes half as long. `main.ts`
 * uses the result for as long as no source changes. Each run writes a folder of its own and then the list that names it,
 * so another process never sees half of it.
 */
const startedMs = Date.now()
const name = randomUUID()
const result = await Bun.build({
  entrypoints: [projectFile('src/cli/start.ts')],
  outdir: join(precompiledFolder, name),
  target: 'bun',
  // Bytecode of other formats can only be part of an executable.
  format: 'cjs',
  bytecode: true,
  metafile: true,
  external: ['@resvg/resvg-js'],
})
const inputs = Object.keys(result.metafile?.inputs ?? {}).map((path) => resolve(path))
const sources = [...inputs, projectFile('bun.lock'), projectFile('tsconfig.json')]
const changed = sources.find((path) => statSync(path).mtimeMs >= Math.floor(startedMs / 1000) * 1000)
if (changed !== undefined) {
  rmSync(join(precompiledFolder, name), { recursive: true })
  console.error(`${changed} was changed while it was compiled: run this again.`)
  process.exit(1)
}
const list: Precompiled = {
  bun: Bun.version,
  root: programRoot,
  program: join(precompiledFolder, name, 'start.js'),
  sources: sources.map((path) => [path, sourceStamp(path)]),
}
mkdirSync(precompiledFolder, { recursive: true })
const draft = `${precompiledList}.${name}`
writeFileSync(draft, JSON.stringify(list))
renameSync(draft, precompiledList)
if (previous !== undefined) rmSync(dirname(previous.program), { recursive: true, force: true })
console.log(`${list.program} (${sources.length} sources)`)
