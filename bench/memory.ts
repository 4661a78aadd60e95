import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { themeNames } from '../src/assets/og/themes.ts'
import { manyScriptWords } from './support/many-scripts.ts'
import { boundRow, type Row, round } from './support/measure.ts'
import { residentMb } from './support/resident-mb.ts'
import { startProgram } from './support/start-program.ts'
import { makeTenBrands } from './support/ten-brands.ts'

const cards = Number(process.env['BENCH_CARDS'] ?? 10_000)
const together = 4
/** One card in so many is asked for as PNG. */
const pngEvery = 3

/** What the server process holds after thousands of different cards in all scripts and themes, SVG and PNG. */
export async function benchMemory(): Promise<readonly Row[]> {
  if (process.platform !== 'linux') return []
  return [await rowOf('none'), await rowOf('half')]
}

/** @param branded how many of the cards are of one of ten brands */
async function rowOf(branded: 'none' | 'half'): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const server = await startProgram(['src/main.ts'], {
    DATA_DIR: directory,
    DEMO_DAILY_QUOTA: '1000000000',
    HOST: '127.0.0.1',
  })
  try {
    const startMb = residentMb(server.pid)
    const brands = branded === 'none' ? [] : await makeTenBrands(join(directory, 'mintmark.sqlite'))
    const next = manyScriptWords(5)
    let asked = 0
    let pngs = 0
    let failed = 0
    let mostMb = 0
    async function ask() {
      while (asked < cards) {
        const at = asked++
        const theme = themeNames[at % themeNames.length] ?? 'aurora'
        const format = at % pngEvery === 0 ? 'png' : 'svg'
        if (format === 'png') pngs++
        const query = new URLSearchParams({ ...next(), theme, format, demo: '1' })
        const brand = at % 2 === 0 ? undefined : brands[(at >> 1) % brands.length]
        if (brand !== undefined) query.set('brand', brand)
        const response = await fetch(`${server.url}/api/og?${query}`)
        await response.arrayBuffer()
        if (!response.ok) failed++
        if (at % 100 === 0) mostMb = Math.max(mostMb, residentMb(server.pid))
      }
    }
    await Promise.all(Array.from({ length: together }, ask))
    if (failed > 0) throw new Error(`${failed} of ${cards} cards were refused`)
    return boundRow(
      `Resident memory of the server after ${cards} cards, ${pngs} of them PNG${branded === 'none' ? '' : ', half of them of ten brands'}`,
      residentMb(server.pid),
      250,
      'MB',
      `${round(startMb)} MB at the start, ${round(mostMb)} MB at most`,
    )
  } finally {
    server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
