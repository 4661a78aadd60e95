import sharp from 'sharp'
import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import type { ThemeName } from '../src/assets/og/themes.ts'
import { type Bitmap, rowBytes } from '../src/raster/bitmap.ts'
import { paintScene } from '../src/raster/paint-scene.ts'
import { encodePicture } from '../src/raster/picture-formats.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { comparedRows } from './support/measure.ts'
import type { Row } from './support/row.ts'
import { knownWords } from './support/words.ts'

const quality = 82

/** The encoders of cards alone, on the pixels of a card with gradients and of one with flat figures, against sharp. */
export async function benchEncoders(): Promise<readonly Row[]> {
  sharp.concurrency(1)
  sharp.cache(false)
  const bitmaps = await Promise.all((['aurora', 'poster'] as const).map(cardPixels))
  const raw = bitmaps.map(rgbOf)
  function bitmapOf(index: number): Bitmap {
    return bitmaps[index % bitmaps.length] as Bitmap
  }
  function sharpOf(index: number) {
    const { widthPx: width, heightPx: height } = bitmapOf(index)
    return sharp(raw[index % raw.length], { raw: { width, height, channels: 3 } })
  }
  return [
    ...(await comparedRows(
      'JPEG, encoding alone',
      (index) => encodePicture(bitmapOf(index), { format: 'jpeg', quality }),
      [{ name: 'sharp', run: (index) => sharpOf(index).jpeg({ quality }).toBuffer(), atLeast: 0.5 }],
    )),
    ...(await comparedRows(
      'WebP, encoding alone',
      (index) => encodePicture(bitmapOf(index), { format: 'webp', quality }),
      [{ name: 'sharp', run: (index) => sharpOf(index).webp({ quality }).toBuffer(), atLeast: 0.5 }],
      { roundMs: 800 },
    )),
  ]
}

async function cardPixels(theme: ThemeName): Promise<Bitmap> {
  const cards = createCardRenderer(createTextEngine())
  const params = { ...knownWords(1)(), theme }
  const bitmap = paintScene((await cards.composed({ params })).scene, 1200)
  return { ...bitmap, rows: bitmap.rows.slice() }
}

function rgbOf({ widthPx, heightPx, rows }: Bitmap): Buffer {
  const stride = rowBytes(widthPx, 3)
  return Buffer.concat(
    Array.from({ length: heightPx }, (_, y) => rows.subarray(y * stride + 1, (y + 1) * stride)),
  )
}
