import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import type { CardBrand } from '../src/assets/og/brand/card-brand.ts'
import { readPicture } from '../src/assets/og/brand/read-upload.ts'
import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { createDrawingPool } from '../src/assets/og/drawing-pool.ts'
import { type ThemeName, themeNames } from '../src/assets/og/themes.ts'
import { bodyText } from '../src/lib/body.ts'
import { type Bitmap, rowBytes } from '../src/raster/bitmap.ts'
import { paintScene } from '../src/raster/paint-scene.ts'
import { encodePicture, type PictureEncoding, usualQuality } from '../src/raster/picture-formats.ts'
import { createPictureDrawer } from '../src/raster/picture-process/picture-drawer.ts'
import { readFont } from '../src/text/brand-fonts/read-font.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { comparedRows, encodedBytes, median, type Row, row } from './support/measure.ts'
import { satoriPeer, takumiPeer } from './support/peers.ts'
import { defer } from './support/processes.ts'
import { knownWords, newWords, type Words } from './support/words.ts'

type Draw = (words: Words) => Promise<Uint8Array>

/** The engine compiles for some 30,000 SVGs, in a thread of its own that the CPU time includes. */
const longWarmUp = { warmUps: 40 }

function openCards() {
  const pool = createDrawingPool()
  defer(() => pool.close())
  return {
    svg: (words: Words, brand?: CardBrand): Promise<string> =>
      pool.cardSvg({ params: { ...words, theme: 'aurora' }, brand }).then(bodyText),
    picture: (words: Words, encoding: PictureEncoding, theme: ThemeName = 'aurora', brand?: CardBrand) =>
      pool.cardPicture({ params: { ...words, theme }, brand }, { widthPx: 1200, encoding }),
  }
}

export async function benchCards(): Promise<readonly Row[]> {
  const { svg, picture } = openCards()
  const [takumi, satori] = [await takumiPeer(), await satoriPeer()]
  function png(words: Words, theme?: ThemeName) {
    return picture(words, { format: 'png' }, theme)
  }
  function formatRows(format: 'jpeg' | 'webp', label: string, min: number): Promise<Row[]> {
    const encoding = { format, quality: usualQuality }
    return pictureRows(label, (words) => picture(words, encoding), [
      { name: 'takumi', min, draw: (words) => takumi.picture(words, format, usualQuality) },
    ])
  }
  async function bytesRow(what: string, ours: Draw, peer: string, theirs: Draw, max: number): Promise<Row> {
    const [own, other] = [await medianBytes(ours), await medianBytes(theirs)]
    return row({ what, ours: own, unit: 'B', peer, theirs: other, ratio: own / other, max })
  }
  const gzipped = (draw: (words: Words) => string | Promise<string>) => async (words: Words) =>
    gzipSync(await draw(words))
  const rows: Row[] = [
    ...(await comparedRows(
      'SVG, warm words',
      sentSvg(svg, madeBefore(knownWords(1))),
      [
        { name: 'takumi', run: sentSvg(takumi.svg, madeBefore(knownWords(1))), min: 6 },
        { name: 'satori', run: sentSvg(satori.svg, madeBefore(knownWords(1))), min: 25 },
      ],
      longWarmUp,
    )),
    ...(await comparedRows(
      'SVG, every word new',
      sentSvg(svg, newWords(2)),
      [
        { name: 'takumi', run: sentSvg(takumi.svg, newWords(3)), min: 3 },
        { name: 'satori', run: sentSvg(satori.svg, newWords(4)), min: 11 },
      ],
      longWarmUp,
    )),
    await bytesRow('SVG, gzip, median', gzipped(svg), 'takumi', gzipped(takumi.svg), 0.635),
    await bytesRow('SVG, gzip, median', gzipped(svg), 'satori', gzipped(satori.svg), 0.25),
    ...(await pictureRows('PNG', png, [
      { name: 'takumi', min: 3.5, draw: takumi.png },
      { name: 'satori + resvg-js', min: 6.3, draw: satori.png },
    ])),
    ...(await formatRows('jpeg', 'JPEG', 2)),
    ...(await formatRows('webp', 'WebP', 3)),
  ]
  // Pictures of the same quality may not be larger than the peer's.
  for (const format of ['jpeg', 'webp'] as const) {
    const ours: Draw = (words) => picture(words, { format, quality: usualQuality })
    const theirs: Draw = (words) => takumi.picture(words, format, usualQuality)
    rows.push(await bytesRow(`${format} of 25, median`, ours, 'takumi', theirs, 1))
  }
  for (const theme of themeNames) {
    const sizes = await Promise.all(samples().map(async (words) => (await png(words, theme)).length / 1024))
    rows.push(row({ what: `PNG, largest of 25, ${theme}`, ours: Math.max(...sizes), unit: 'KB', max: 45 }))
  }
  return rows
}

interface DrawingPeer {
  readonly name: string
  readonly min: number
  readonly draw: Draw
}

function pictureRows(what: string, ours: Draw, peers: readonly DrawingPeer[]): Promise<Row[]> {
  const next = () => knownWords(5)
  return comparedRows(
    what,
    drawing(ours, next()),
    peers.map(({ draw, ...peer }) => ({ ...peer, run: drawing(draw, next()) })),
    { roundMs: 800 },
  )
}

function samples(): readonly Words[] {
  return Array.from({ length: 25 }, knownWords(7))
}

async function medianBytes(draw: Draw): Promise<number> {
  return median(await Promise.all(samples().map(async (words) => (await draw(words)).length)))
}

function drawing(draw: (words: Words) => unknown, next: () => Words): () => unknown {
  return () => draw(next())
}

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

const fontFile = new URL(
  '../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2',
  import.meta.url,
)
const mark = 'M32 2L62 32L32 62L2 32ZM32 18L46 32L32 46L18 32Z'
const color = '#ff5a36'

/** Cards of a brand with a font and a logo, against takumi with the same font and the same logo. */
export async function benchBrands(): Promise<readonly Row[]> {
  const { svg, picture } = openCards()
  const font = await readFont(await readFile(fontFile))
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><path fill="${color}" d="${mark}"/></svg>`
  const shapes = { width: 64, height: 64, shapes: [{ d: mark, fill: color }], singleColor: color }
  const brand: CardBrand = {
    key: 'bench@1',
    accent: color.slice(1),
    titleFont: font,
    textFont: font,
    logo: { kind: 'shapes', key: 'bench', ...shapes },
  }
  const pictures = createPictureDrawer()
  const photo = await readPicture(await photograph(), { pictures, client: '' })
  pictures.close()
  const pictured: CardBrand = { ...brand, key: 'pictured@1', picture: { ...photo, focus: { x: 50, y: 50 } } }
  const takumi = await takumiPeer({ font: font.bytes, logo })
  const pictureTakumi = await takumiPeer({ font: font.bytes, logo, picture: photo.jpeg })
  const png = (ofBrand: CardBrand) => (words: Words) => picture(words, { format: 'png' }, 'aurora', ofBrand)
  const what = 'SVG with a font and a logo, warm words'
  return [
    ...(await comparedRows(
      what,
      sentSvg((words) => svg(words, brand), knownWords(1)),
      [{ name: 'takumi', run: sentSvg(takumi.svg, knownWords(1)), min: 6 }],
      longWarmUp,
    )),
    ...(await pictureRows('PNG with a font and a logo', png(brand), [
      { name: 'takumi', min: 1.5, draw: takumi.png },
    ])),
    ...(await pictureRows('PNG with a background picture', png(pictured), [
      { name: 'takumi', min: 1.5, draw: pictureTakumi.png },
    ])),
  ]
}

/** Soft light with some grain, as photographs have; dark enough that it covers the whole card, as the peer's does. */
function photograph(): Promise<Buffer<ArrayBuffer>> {
  const [width, height] = [1600, 1000]
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    const light = 112 + 60 * Math.sin(x / 170 + (at % 3)) + 50 * Math.cos(y / 90)
    pixels[at] = light + ((x * 31 + y * 17) % 13)
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } }).jpeg({ quality: 70 })
  return image.toBuffer() as Promise<Buffer<ArrayBuffer>>
}

/** The encoders of cards alone, on the pixels of a card with gradients and of one with flat figures, against sharp. */
export async function benchEncoders(): Promise<readonly Row[]> {
  sharp.concurrency(1)
  sharp.cache(false)
  const bitmaps = await Promise.all((['aurora', 'poster'] as const).map(cardPixels))
  const pixels = bitmaps.map(rgbOf)
  const rows: Row[] = []
  for (const format of ['jpeg', 'webp'] as const) {
    const encoding = { format, quality: usualQuality }
    const theirs = (index: number) => {
      const { widthPx: width, heightPx: height } = bitmaps[index % 2] as Bitmap
      const image = sharp(pixels[index % 2], { raw: { width, height, channels: 3 } })
      return image[format]({ quality: usualQuality }).toBuffer()
    }
    const ours = (index: number) => encodePicture(bitmaps[index % 2] as Bitmap, encoding)
    const peers = [{ name: 'sharp', run: theirs, min: 0.5 }]
    rows.push(...(await comparedRows(`${format}, encoding alone`, ours, peers, { roundMs: 800 })))
  }
  return rows
}

async function cardPixels(theme: ThemeName): Promise<Bitmap> {
  const cards = createCardRenderer(createTextEngine())
  const bitmap = paintScene((await cards.composed({ params: { ...knownWords(1)(), theme } })).scene, 1200)
  return { ...bitmap, rows: bitmap.rows.slice() }
}

function rgbOf({ widthPx, heightPx, rows }: Bitmap): Buffer {
  const stride = rowBytes(widthPx, 3)
  const lines = Array.from({ length: heightPx }, (_, y) => rows.subarray(y * stride + 1, (y + 1) * stride))
  return Buffer.concat(lines)
}
