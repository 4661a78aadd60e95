import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { themeNames } from '../src/assets/og/themes.ts'
import { manyScriptWords } from './support/many-scripts.ts'
import { median } from './support/measure.ts'
import { repeatShortOnes } from './support/repeat-if-short.ts'
import { residentMb } from './support/resident-mb.ts'
import { boundRow, type Point, type Row, round } from './support/row.ts'
import { startProgram } from './support/start-program.ts'
import { makeTenBrands } from './support/ten-brands.ts'

const cards = Number(process.env['BENCH_CARDS'] ?? 2_000)
const together = 4
/** One card in so many is asked for as PNG. */
const pngEvery = 3

/** Nobody asks for so long afterwards: the drawing worker ends after 15 s without a picture. */
const restSeconds = 20

/** Memory of the server process after thousands of different cards in all scripts and themes, SVG and PNG. */
export async function benchMemory(): Promise<readonly Row[]> {
  if (process.platform !== 'linux') return []
  return repeatShortOnes([() => rowOf('none', 220), () => rowOf('half', 250)])
}

/** @param branded how many of the cards are of one of ten brands */
async function rowOf(branded: 'none' | 'half', atMaxMb: number): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const server = await startProgram(['src/main.ts'], {
    DATA_DIR: directory,
    DEMO_DAILY_QUOTA: '1000000000',
    HOST: '127.0.0.1',
  })
  try {
    const startMb = residentMb(server.pid)
    const brands = branded === 'none' ? [] : await makeTenBrands(join(directory, 'mintmark.sqlite'))
    const points: Point[] = []
    const startMs = performance.now()
    function look() {
      points.push([(performance.now() - startMs) / 1_000, residentMb(server.pid)])
    }
    look()
    const next = manyScriptWords(5)
    let asked = 0
    let pngs = 0
    let failed = 0
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
        if (at % 100 === 0) look()
      }
    }
    await Promise.all(Array.from({ length: together }, ask))
    if (failed > 0) throw new Error(`${failed} of ${cards} cards were refused`)
    // One look differs from the next by up to 10 MB.
    const fullMb = median(points.slice(points.length >> 1).map(([, mb]) => mb))
    const mostMb = Math.max(...points.map(([, mb]) => mb))
    for (let second = 0; second < restSeconds; second += 1) {
      await Bun.sleep(1_000)
      look()
    }
    const row = boundRow(
      `Resident memory of the server after ${cards} cards, ${pngs} of them PNG${branded === 'none' ? '' : ', half of them of ten brands'}`,
      fullMb,
      atMaxMb,
      'MB',
      `${round(startMb)} MB at the start, ${round(mostMb)} MB at most; median of the looks in the second half`,
    )
    return { ...row, line: { name: branded === 'none' ? 'without brands' : 'half of ten brands', points } }
  } finally {
    server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
