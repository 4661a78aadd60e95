import { createDrawingPool } from '../src/assets/og/drawing-pool.ts'
import { themeNames } from '../src/assets/og/themes.ts'
import { manyScriptWords } from './support/many-scripts.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { boundRow, type Row, round } from './support/row.ts'
import { turnRows } from './support/text-turns.ts'

const concurrency = 8
const pictures = 400
const tickMs = 2

/**
 * How late the main thread answers while workers draw PNGs in all scripts, eight at a time, and how long the text of a card
 * holds it at most, whatever the text is.
 */
export async function benchLag(): Promise<readonly Row[]> {
  return [...(await repeatIfShort(lagRows)), ...(await repeatIfShort(turnRows))]
}

async function lagRows(): Promise<readonly Row[]> {
  const pool = createDrawingPool()
  const next = manyScriptWords(11)
  let drawn = 0

  async function drawAll(count: number): Promise<void> {
    for (const stop = drawn + count; drawn < stop; ) {
      const params = { ...next(), theme: themeNames[drawn++ % themeNames.length] ?? 'aurora' }
      await pool.cardPicture({ params }, { widthPx: 1200, encoding: { format: 'png' } })
    }
  }

  await drawAll(20)
  const lagsMs: number[] = []
  let expectedMs = performance.now() + tickMs
  const timer = setInterval(() => {
    const now = performance.now()
    lagsMs.push(Math.max(0, now - expectedMs))
    expectedMs = now + tickMs
  }, tickMs)
  const startMs = performance.now()
  const stop = drawn + pictures
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (drawn < stop) await drawAll(1)
    }),
  )
  clearInterval(timer)
  const perSecond = (pictures / (performance.now() - startMs)) * 1000
  pool.close()

  lagsMs.sort((a, b) => a - b)
  function at(share: number) {
    return lagsMs[Math.floor(share * (lagsMs.length - 1))] ?? Number.NaN
  }
  return [
    boundRow(
      `Event-loop lag, p99, ${pictures} PNGs ${concurrency} at a time`,
      at(0.99),
      15,
      'ms',
      `p50 ${round(at(0.5))} ms, largest ${round(at(1))} ms, ${round(perSecond)} PNGs a second`,
    ),
  ]
}
