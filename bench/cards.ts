import { gzipSync } from 'node:zlib'
import { createDrawingPool } from '../src/assets/og/drawing-pool.ts'
import { type ThemeName, themeNames } from '../src/assets/og/themes.ts'
import { bodyText } from '../src/lib/body.ts'
import { type PictureEncoding, pictureFormats, usualQuality } from '../src/raster/picture-formats.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { comparedRows, median } from './support/measure.ts'
import { type CardPeer, satoriPeer, takumiPeer, type Words } from './support/peers.ts'
import { boundRow, type Row } from './support/row.ts'
import { knownWords, newWords } from './support/words.ts'

/** Cards against takumi and satori: time and bytes, as SVG, PNG, JPEG and WebP. */
export async function benchCards(): Promise<readonly Row[]> {
  const pool = createDrawingPool()
  const [takumi, satori] = [await takumiPeer(), await satoriPeer()]
  function svg(words: Words, theme: ThemeName = 'aurora') {
    return pool.cardSvg({ params: { ...words, theme } }).then(bodyText)
  }
  function picture(words: Words, theme: ThemeName, encoding: PictureEncoding) {
    return pool.cardPicture({ params: { ...words, theme } }, { widthPx: 1200, encoding })
  }
  function png(words: Words, theme: ThemeName = 'aurora') {
    return picture(words, theme, { format: 'png' })
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
        { name: 'takumi', run: drawing(takumi.png, knownWords(5)), atLeast: 3.1 },
        { name: 'satori + resvg-js', run: drawing(satori.png, knownWords(5)), atLeast: 6.3 },
      ],
      { roundMs: 1000 },
    )),
  ]
  for (const { format, atLeast } of lossy) {
    function ours(words: Words) {
      return picture(words, 'aurora', { format, quality: usualQuality })
    }
    function theirs(words: Words) {
      return takumi.picture(words, format, usualQuality)
    }
    const label = pictureFormats[format].label
    const peer = { name: 'takumi', run: drawing(theirs, knownWords(5)), atLeast }
    const rounds = { roundMs: 700 }
    rows.push(...(await comparedRows(label, drawing(ours, knownWords(5)), [peer], rounds)))
    rows.push(await sizeRow(label, ours, theirs))
  }
  for (const theme of themeNames) {
    const sizes = await Promise.all(samples().map(async (words) => (await png(words, theme)).length / 1024))
    rows.push(boundRow(`PNG, largest of ${sizes.length}, ${theme}`, Math.max(...sizes), 45, 'KB'))
  }
  pool.close()
  return rows
}

const lossy = [
  { format: 'jpeg', atLeast: 1.8 },
  { format: 'webp', atLeast: 1.3 },
] as const

type Draw = (words: Words) => Promise<Uint8Array>

/** Pictures of the same quality may not be larger than the peer's. */
async function sizeRow(label: string, ours: Draw, theirs: Draw): Promise<Row> {
  const [own, peer] = await Promise.all(
    [ours, theirs].map(async (draw) =>
      median(await Promise.all(samples().map(async (words) => (await draw(words)).length))),
    ),
  )
  const ratio = (own ?? 0) / (peer ?? 0)
  return {
    what: `${label}, median of ${samples().length}`,
    ours: `${own} B`,
    peer: `takumi ${peer} B`,
    ratio: ratio.toFixed(3),
    target: '≤ 1',
    passed: ratio <= 1,
  }
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
