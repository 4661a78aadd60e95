import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { encodePng } from '../../src/raster/encode-png.ts'
import { deflateId } from '../../src/raster/picture-formats.ts'

/** Measured checksums of the files below, by the name of the deflate. A new deflate gets a line of its own. */
const known: Readonly<Record<string, string>> = {
  // Bun 1.4.5 on x64: with level 5 everywhere, then with level 4 for pixels of three bytes, then in larger pieces, then with
  // backgrounds of 128 colours.
  '1Q2TfPiP': 'b6d9296be9d9b457',
  hvlizMPs: '32dd3ce84b7207e4',
  HOsg62aQ: '32dd3ce84b7207e4',
  uN8L8dg_: '32dd3ce84b7207e4',
}

/** Slow gradients with strokes over them, as cards are. */
function drawing(widthPx: number, heightPx: number, shades: number): Bitmap {
  const stride = rowBytes(widthPx, 3)
  const rows = new Uint8Array(stride * heightPx)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx * 3; x++) {
      const isStroke = ((x >> 5) * (y >> 4) * 7) % 11 === 0
      const background = Math.floor(((x * y) % 5000) / (5000 / shades))
      rows[y * stride + 1 + x] = isStroke ? 250 : background
    }
  return { widthPx, heightPx, channels: 3, rows }
}

test('files by a deflate of one name have the same bytes, so that an ETag never stands for two', () => {
  const files = [encodePng(drawing(400, 300, 200)), encodePng(drawing(400, 300, 2))]
  const sum = createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 16)
  expect({ [deflateId]: known[deflateId] ?? sum }).toEqual({ [deflateId]: sum })
})
