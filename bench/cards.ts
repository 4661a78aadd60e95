import { gzipSync } from 'node:zlib'
import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { type ThemeName, themeNames } from '../src/assets/og/themes.ts'
import { createRasterPool } from '../src/raster/pool.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { comparedRows, median } from './support/measure.ts'
import { type CardPeer, satoriPeer, takumiPeer, type Words } from './support/peers.ts'
import { boundRow, type Row } from './support/row.ts'
import { knownWords, newWords } from './support/words.ts'

/** Cards against takumi and satori: time and bytes, SVG and PNG. */
export async function benchCards(): Promise<readonly Row[]> {
  const cards = createCardRenderer(createTextEngine())
  const pool = createRasterPool()
  const [takumi, satori] = [await takumiPeer(), await satoriPeer()]
  function svg(words: Words, theme: ThemeName = 'aurora') {
    const pieces = cards.svgPieces({ params: { ...words, theme } })
    return pieces instanceof Promise ? pieces.then((ready) => ready.join('')) : pieces.join('')
  }
  async function png(words: Words, theme: ThemeName = 'aurora') {
    const params = { ...words, theme }
    return pool.scenePicture((await cards.composed({ params })).scene, 1200, { format: 'png' })
  }

  const rows: Row[] = [
    ...(await comparedRows('SVG, warm words', sentSvg(svg, madeBefore(knownWords(1))), [
      { name: 'takumi', run: sentSvg(takumi.svg, madeBefore(knownWords(1))), atLeast: 18 },
      { name: 'satori', run: sentSvg(satori.svg, madeBefore(knownWords(1))), atLeast: 75 },
    ])),
    ...(await comparedRows('SVG, every word new', sentSvg(svg, newWords(2)), [
      { name: 'takumi', run: sentSvg(takumi.svg, newWords(3)), atLeast: 4.5 },
      { name: 'satori', run: sentSvg(satori.svg, newWords(4)), atLeast: 17 },
    ])),
    ...(await bytesRows(svg, [takumi, satori])),
    ...(await comparedRows(
      'PNG',
      drawing(png, knownWords(5)),
      [
        { name: 'takumi', run: drawing(takumi.png, knownWords(5)), atLeast: 2.5 },
        { name: 'satori + resvg-js', run: drawing(satori.png, knownWords(5)), atLeast: 5.3 },
      ],
      { rounds: 5, roundMs: 1500 },
    )),
  ]
  for (const theme of themeNames) {
    const sizes = await Promise.all(samples().map(async (words) => (await png(words, theme)).length / 1024))
    rows.push(boundRow(`PNG, largest of ${sizes.length}, ${theme}`, Math.max(...sizes), 45, 'KB'))
  }
  pool.close()
  return rows
}

function drawing(draw: (words: Words) => unknown, next: () => Words): () => unknown {
  return () => draw(next())
}

/** Texts of so many cards: making them takes 3 µs each, which is no work of a renderer. */
function madeBefore(next: () => Words, count = 4096): () => Words {
  const made = Array.from({ length: count }, () => structuredClone(next()))
  let index = 0
  return () => made[index++ % count] ?? next()
}

/** Until the SVG is the bytes that are sent. */
function sentSvg(draw: (words: Words) => string | Promise<string>, next: () => Words): () => unknown {
  return () => {
    const svg = draw(next())
    return typeof svg === 'string' ? encodedBytes(svg) : svg.then(encodedBytes)
  }
}

async function bytesRows(
  svg: (words: Words) => string | Promise<string>,
  peers: readonly CardPeer[],
): Promise<Row[]> {
  async function gzipped(draw: (words: Words) => string | Promise<string>) {
    return median(await Promise.all(samples().map(async (words) => gzipSync(await draw(words)).length)))
  }
  const ours = await gzipped(svg)
  const limits: Readonly<Record<string, number>> = { takumi: 0.635, satori: 0.25 }
  return Promise.all(
    peers.map(async ({ name, svg: draw }) => {
      const theirs = await gzipped(draw)
      const limit = limits[name] ?? 1
      return {
        what: 'SVG, gzip, median',
        ours: `${ours} B`,
        peer: `${name} ${theirs} B`,
        ratio: (ours / theirs).toFixed(3),
        target: `≤ ${limit}`,
        passed: ours / theirs <= limit,
      }
    }),
  )
}

function samples(): readonly Words[] {
  const next = knownWords(7)
  return Array.from({ length: 25 }, next)
}
