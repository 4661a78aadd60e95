import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp from 'sharp'
import { createDrawingPool } from '../src/assets/og/drawing-pool.ts'
import { sizeNames } from '../src/assets/og/theme.ts'
import { themeNames } from '../src/assets/og/themes.ts'
import { createBrands } from '../src/brands/brands.ts'
import { createUploadReaders } from '../src/brands/check-form.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createPictureDrawer } from '../src/raster/picture-process/picture-drawer.ts'
import { openStore } from '../src/store/open.ts'
import { type AnyText, anyTexts, heavyTexts, textsOfPages } from '../test/support/any-texts.ts'
import { randomFrom } from '../test/support/random.ts'
import { isQuick, median, NotPossibleHere, quantile, type Row, round, row } from './support/measure.ts'
import { residentMb, startServer } from './support/processes.ts'
import { manyScriptWords } from './support/words.ts'

const pictures = isQuick ? 40 : 400
const picturesAtOnce = 8
const tickMs = 2
/** One of so many pages of Unicode is drawn in each run: another one the next time. */
const pagesShare = isQuick ? 40 : 4
const mixtures = isQuick ? 10 : 120
const textsAtOnce = 64

/**
 * How many new PNG cards are drawn and how late the main thread answers meanwhile, in all scripts, eight at a time; and how
 * long the text of a card holds it at most, whatever the text is.
 */
export async function benchLag(): Promise<readonly Row[]> {
  return [...(await lagRows()), ...(await turnRows())]
}

async function lagRows(): Promise<readonly Row[]> {
  const pool = createDrawingPool()
  const next = manyScriptWords(11)
  let drawn = 0
  async function drawUntil(stop: number): Promise<void> {
    while (drawn < stop) {
      const params = { ...next(), theme: themeNames[drawn++ % themeNames.length] ?? 'aurora' }
      await pool.cardPicture({ params }, { widthPx: 1200, encoding: { format: 'png' } })
    }
  }
  await drawUntil(20)
  const lagsMs: number[] = []
  let expectedMs = performance.now() + tickMs
  const timer = setInterval(() => {
    const now = performance.now()
    lagsMs.push(Math.max(0, now - expectedMs))
    expectedMs = now + tickMs
  }, tickMs)
  const startMs = performance.now()
  const stop = drawn + pictures
  await Promise.all(Array.from({ length: picturesAtOnce }, () => drawUntil(stop)))
  clearInterval(timer)
  const perSecond = (pictures / (performance.now() - startMs)) * 1_000
  pool.close()
  const note = `p50 ${round(quantile(lagsMs, 0.5))} ms, largest ${round(Math.max(...lagsMs))} ms`
  return [
    // 1.5 times the 75 a second that one thread drew.
    row({ what: `New PNG cards a second, ${pictures} of them, 8 at a time`, ours: perSecond, min: 112 }),
    row({ what: 'Event-loop lag meanwhile, p99', ours: quantile(lagsMs, 0.99), unit: 'ms', max: 15, note }),
  ]
}

/**
 * The longest turn of the event loop while cards of the longest texts are drawn: of each page of Unicode, of two, of the
 * letters that need most. Each turn is compared with those of a loop that does nothing, measured before and after.
 */
async function turnRows(): Promise<readonly Row[]> {
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
  const beforeMs = await longestTurn(idle)
  let longest = { name: '', ms: 0 }
  for (const text of texts) {
    const ms = await longestTurn(() => draw(text))
    if (ms > longest.ms) longest = { name: text.name, ms }
  }
  const together = texts.slice(0, textsAtOnce)
  const togetherMs = await longestTurn(() => Promise.all(together.map(draw)))
  const freeMs = Math.min(beforeMs, await longestTurn(idle))
  pool.close()
  const figures = { unit: 'ms', max: 20, note: `${longest.name}; seed ${seed}` }
  return [
    row({
      what: `Longest turn of the event loop, ${texts.length} cards of any text`,
      ...figures,
      ours: longest.ms - freeMs,
    }),
    row({
      what: `Longest turn of the event loop, ${together.length} of them at once`,
      ...figures,
      ours: togetherMs - freeMs,
    }),
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

const cardCount = isQuick ? 60 : 2_000
const cardsAtOnce = 4
/** One card in so many is asked for as PNG. */
const pngEvery = 3
/** Nobody asks for so long afterwards: a drawing thread ends after 15 s without a picture. */
const restMs = isQuick ? 0 : 20_000

/** Memory of the server process after thousands of different cards in all scripts and themes, SVG and PNG. */
export async function benchMemory(): Promise<readonly Row[]> {
  if (process.platform !== 'linux') throw new NotPossibleHere('it reads /proc')
  return [await memoryRow(''), await memoryRow(', half of them of ten brands')]
}

async function memoryRow(branded: string): Promise<Row> {
  const server = await startServer()
  const startMb = residentMb(server.pid)
  const brands = branded === '' ? [] : await makeTenBrands(server.databasePath)
  const looksMb: number[] = []
  const next = manyScriptWords(5)
  let asked = 0
  async function ask(): Promise<void> {
    while (asked < cardCount) {
      const at = asked++
      const theme = themeNames[at % themeNames.length] ?? 'aurora'
      const format = at % pngEvery === 0 ? 'png' : 'svg'
      const query = new URLSearchParams({ ...next(), theme, format, demo: '1' })
      const brand = at % 2 === 0 ? undefined : brands[(at >> 1) % brands.length]
      if (brand !== undefined) query.set('brand', brand)
      const response = await fetch(`${server.url}/api/og?${query}`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`a card was answered ${response.status}`)
      if (at % 20 === 0) looksMb.push(residentMb(server.pid))
    }
  }
  await Promise.all(Array.from({ length: cardsAtOnce }, ask))
  await Bun.sleep(restMs)
  const [mostMb, restedMb] = [Math.max(...looksMb), residentMb(server.pid)]
  await server.stop()
  return row({
    what: `Resident memory after ${cardCount} cards, a third of them PNG${branded}`,
    // One look differs from the next by up to 10 MB.
    ours: median(looksMb.slice(looksMb.length >> 1)),
    unit: 'MB',
    max: 350,
    note: `${round(startMb)} MB at the start, ${round(mostMb)} MB at most, ${round(restedMb)} MB after a rest`,
  })
}

const fontFolder = new URL('../node_modules/dejavu-fonts-ttf/ttf/', import.meta.url).pathname
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#ff5a36" d="M32 2L62 32L32 62L2 32Z"/><circle cx="32" cy="32" r="9" fill="#103050"/></svg>'

/** Makes ten brands in the database of a server, each with two fonts of its own, a logo and a picture. Returns their slugs. */
async function makeTenBrands(path: string): Promise<readonly string[]> {
  const store = openStore({ path })
  const drawer = createPictureDrawer()
  const brands = createBrands({ store, clock: systemClock, readers: createUploadReaders(drawer) })
  const fonts = readdirSync(fontFolder).filter((name) => name.endsWith('.ttf'))
  const slugs: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const slug = `brand-${n}`
    const texts = { name: slug, slug, theme: themeNames[n % themeNames.length] ?? 'aurora' }
    const files = {
      logo: { name: 'logo.svg', bytes: new TextEncoder().encode(logo) },
      titleFont: fontOf(fonts[2 * n]),
      textFont: fontOf(fonts[2 * n + 1]),
      picture: { name: 'picture.jpg', bytes: new Uint8Array(await noisePicture(n)) },
    }
    const saved = await brands.save({ texts, files, remove: [] })
    if ('mistakes' in saved) throw new Error(JSON.stringify(saved.mistakes))
    slugs.push(slug)
  }
  drawer.close()
  await store.close()
  return slugs
}

function fontOf(name = '') {
  return { name, bytes: new Uint8Array(readFileSync(join(fontFolder, name))) }
}

function noisePicture(seed: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 60 + 15 * seed, sigma: 60 } as const
  const create = { width: 1200, height: 800, channels: 3, background: '#000', noise } as const
  return sharp({ create }).blur(3).jpeg({ quality: 85 }).toBuffer()
}
