import { setImmediate as nextTurn } from 'node:timers/promises'
import { sizeNames } from '../../src/assets/og/card-sizes.ts'
import { createDrawingPool } from '../../src/assets/og/drawing-pool.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { type AnyText, anyTexts, heavyTexts, textsOfPages } from '../../test/support/any-texts.ts'
import { randomFrom } from '../../test/support/random.ts'
import { boundRow, type Row, round } from './row.ts'

/** One of so many pages of Unicode is drawn in each run: another one the next time. */
const pagesShare = 4
const mixtures = 120
/** The longest that a request may hold the event loop. */
const turnMsMax = 20
const concurrency = 64

/**
 * The longest turn of the event loop while cards of the longest texts are drawn: of each page of Unicode, of two, of the
 * letters that need most. Each turn is compared with those of a loop that does nothing, measured before and after.
 */
export async function turnRows(): Promise<readonly Row[]> {
  const seed = Math.floor(Math.random() * 1000)
  const { pick } = randomFrom(seed)
  const pages = textsOfPages(seed).filter((_, index) => index % pagesShare === seed % pagesShare)
  const texts = [...pages, ...anyTexts(seed).take(mixtures), ...heavyTexts(seed)]
  const pool = createDrawingPool()
  async function draw({ text, lang }: AnyText): Promise<void> {
    const letters = [...text]
    const [title, author] = [letters.slice(0, 300).join(''), letters.slice(0, 80).join('')]
    const looks = { theme: pick(themeNames), size: pick(sizeNames), overflow: 'ellipsis' } as const
    await pool.cardSvg({ params: { title, subtitle: text, author, ...looks, ...(lang && { lang }) } })
  }

  // Until the code is compiled.
  for (const text of texts.slice(0, 20)) await draw(text)
  const emptyMs = await longestTurn(idle)
  const turns: { readonly text: AnyText; readonly ms: number }[] = []
  for (const text of texts) turns.push({ text, ms: await longestTurn(() => draw(text)) })
  const together = texts.slice(0, concurrency)
  const togetherMs = await longestTurn(() => Promise.all(together.map(draw)))
  const emptyAfterMs = await longestTurn(idle)
  pool.close()
  turns.sort((a, b) => b.ms - a.ms)
  const [longest] = turns
  const against = `an empty loop ${round(emptyMs)} and ${round(emptyAfterMs)} ms; seed ${seed}`
  const free = Math.min(emptyMs, emptyAfterMs)
  return [
    boundRow(
      `Longest turn of the event loop, ${texts.length} cards of any text`,
      (longest?.ms ?? Number.NaN) - free,
      turnMsMax,
      'ms',
      `${longest?.text.name}, median ${round(turns[turns.length >> 1]?.ms ?? Number.NaN)} ms; ${against}`,
    ),
    boundRow(
      `Longest turn of the event loop, ${together.length} of them at once`,
      togetherMs - free,
      turnMsMax,
      'ms',
      against,
    ),
  ]
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  let longestMs = 0
  async function watch(): Promise<void> {
    for (let startMs = performance.now(); !isDone; ) {
      await nextTurn()
      const nowMs = performance.now()
      longestMs = Math.max(longestMs, nowMs - startMs)
      startMs = nowMs
    }
  }
  const watching = watch()
  await nextTurn()
  await work()
  isDone = true
  await watching
  return longestMs
}

async function idle(): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) await nextTurn()
}
