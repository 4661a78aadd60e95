import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compilePainter } from '../../src/raster/painter/build.ts'
import { denoProgram } from '../support/deno-program.ts'

const root = join(import.meta.dir, '../..')
const script = join(import.meta.dir, 'draw-everywhere.ts')

async function run(command: readonly string[], cwd = root): Promise<string> {
  const { exited, stdout, stderr } = Bun.spawn([...command], { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [code, out, problems] = await Promise.all([
    exited,
    new Response(stdout).text(),
    new Response(stderr).text(),
  ])
  if (code !== 0) throw new Error(problems)
  return out
}

test('Bun and Deno draw the same pixels through the pool, the same JPEG and WebP files, and name PNGs apart', async () => {
  const onBun = (await run([process.execPath, script])).trim().split('\n')
  const onDeno = (await run([denoProgram, 'run', '-A', script])).trim().split('\n')
  expect(onBun).toHaveLength(11)
  expect(onDeno.slice(0, 10)).toEqual(onBun.slice(0, 10))
  const [bytesOnBun, nameOnBun] = onBun[10]?.split(' ') ?? []
  const [bytesOnDeno, nameOnDeno] = onDeno[10]?.split(' ') ?? []
  expect(nameOnBun === nameOnDeno).toBe(bytesOnBun === bytesOnDeno)
})

test('an executable draws far from its sources, with the worker and resvg inside', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'executable-'))
  try {
    const sources = join(folder, 'sources/src')
    cpSync(join(root, 'src'), sources, { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'sources/node_modules'))
    writeFileSync(join(sources, 'one-picture.ts'), onePicture)
    const program = join(folder, 'program')
    const entries = [join(sources, 'one-picture.ts'), join(sources, 'assets/og/drawing-thread.ts')]
    await run([process.execPath, 'build', '--compile', ...entries, '--outfile', program])
    rmSync(join(folder, 'sources'), { recursive: true })
    expect(await run([program], folder)).toBe('137 80 78 71\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const onePicture = `
import { createDrawingPool } from './assets/og/drawing-pool.ts'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><path d="M0 0h2v2H0z"/></svg>'
const png = await createDrawingPool().svgPng(svg)
console.log(png.subarray(0, 4).join(' '))
`

test('the WebAssembly that paints is what its sources are compiled to', async () => {
  const path = join(import.meta.dir, '../../src/raster/painter/painter.generated.ts')
  expect(readFileSync(path, 'utf8')).toBe(await compilePainter())
})

const program = fileURLToPath(new URL('./children/draws-many-sizes.ts', import.meta.url))

/** The server's own environment, from `src/cli/small-heap.ts`. */
const env = {
  PATH: process.env['PATH'],
  BUN_JSC_forceRAMSize: String(170 * 2 ** 20),
  BUN_JSC_largeHeapGrowthFactor: '1.12',
  MIMALLOC_PURGE_DELAY: '10',
}

// Without collecting by what was drawn it grows by 100 to 160 MB, with it by 12 to 16. Takes 4 s.
test.skipIf(process.platform !== 'linux')(
  'pictures of many sizes one after the other leave no memory behind in the worker (Linux only: /proc)',
  async () => {
    const child = Bun.spawn([process.execPath, program], { env, stderr: 'inherit' })
    const grownMb = Number(await new Response(child.stdout).text())
    expect(await child.exited).toBe(0)
    expect(grownMb).toBeLessThan(60)
  },
)
