import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { CardBrand } from '../src/assets/og/brand/card-brand.ts'
import { readPicture } from '../src/assets/og/brand/read-upload.ts'
import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { createDrawingPool } from '../src/assets/og/drawing-pool.ts'
import { createPictureDrawer } from '../src/raster/picture-process/picture-drawer.ts'
import { readFont } from '../src/text/brand-fonts/read-font.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { comparedRows } from './support/measure.ts'
import { takumiPeer, type Words } from './support/peers.ts'
import type { Row } from './support/row.ts'
import { knownWords } from './support/words.ts'

const fontFile = new URL(
  '../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2',
  import.meta.url,
)
const mark = 'M32 2L62 32L32 62L2 32ZM32 18L46 32L32 46L18 32Z'
const color = '#ff5a36'

/** Cards of a brand with a font and a logo, against takumi with the same font and the same logo. */
export async function benchBrands(): Promise<readonly Row[]> {
  const font = await readFont(await readFile(fontFile))
  const peer = {
    font: font.bytes,
    logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><path fill="${color}" d="${mark}"/></svg>`,
  }
  const takumi = await takumiPeer(peer)
  const logo = { width: 64, height: 64, shapes: [{ d: mark, fill: color }], singleColor: color }
  const brand: CardBrand = {
    key: 'bench@1',
    accent: color.slice(1),
    titleFont: font,
    textFont: font,
    logo: { kind: 'shapes', key: 'bench', ...logo },
  }
  const cards = createCardRenderer(createTextEngine())
  const pool = createDrawingPool()
  function svg(words: Words) {
    const params = { ...words, theme: 'aurora' as const }
    function encoded(pieces: readonly string[]) {
      return encodedBytes(pieces.join(''))
    }
    const pieces = cards.svgPieces({ params, brand })
    return pieces instanceof Promise ? pieces.then(encoded) : encoded(pieces)
  }
  async function png(words: Words, ofBrand = brand) {
    const params = { ...words, theme: 'aurora' as const }
    return pool.scenePicture((await cards.composed({ params, brand: ofBrand })).scene, 1200, {
      format: 'png',
    })
  }
  const pictures = createPictureDrawer()
  const read = await readPicture(await photo(), { pictures, client: '' })
  pictures.close()
  const picture = { ...read, focus: { x: 50, y: 50 } }
  const pictured: CardBrand = { ...brand, key: 'pictured@1', picture }
  const pictureTakumi = await takumiPeer({ ...peer, picture: picture.jpeg })
  const rows = [
    ...(await comparedRows('SVG with a font and a logo, warm words', drawing(svg, 1), [
      { name: 'takumi', run: drawing(async (words) => encodedBytes(await takumi.svg(words)), 1), atLeast: 8 },
    ])),
    ...(await comparedRows(
      'PNG with a font and a logo',
      drawing(png, 2),
      [{ name: 'takumi', run: drawing(takumi.png, 2), atLeast: 1.5 }],
      { roundMs: 800 },
    )),
    ...(await comparedRows(
      'PNG with a background picture',
      drawing((words) => png(words, pictured), 3),
      [{ name: 'takumi', run: drawing(pictureTakumi.png, 3), atLeast: 1.5 }],
      { roundMs: 800 },
    )),
  ]
  pool.close()
  return rows
}

function drawing(draw: (words: Words) => unknown, seed: number): () => unknown {
  const next = knownWords(seed)
  return () => draw(next())
}

/** Soft light with some grain, as photographs have; dark enough that it covers the whole card, as the peer's does. */
function photo(): Promise<Buffer<ArrayBuffer>> {
  const [width, height] = [1600, 1000]
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    const light = 112 + 60 * Math.sin(x / 170 + (at % 3)) + 50 * Math.cos(y / 90)
    pixels[at] = light + ((x * 31 + y * 17) % 13)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 70 })
    .toBuffer() as Promise<Buffer<ArrayBuffer>>
}
