import { Resvg } from '@resvg/resvg-js'
import { readPicture } from '../../../../../src/assets/og/brand/read-upload.ts'
import type { Bitmap } from '../../../../../src/raster/bitmap.ts'
import { encodeJpeg, encodeWebp } from '../../../../../src/raster/encode-lossy.ts'
import { encodePng } from '../../../../../src/raster/encode-png.ts'
import type { PictureDrawer } from '../../../../../src/raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../../../../../src/raster/thread-pool.ts'
import exampleLogosTable from './example-logos.json' with { type: 'json' }

/** Made-up logos, each with another part of SVG: by name, what stands in a document with the view box `0 0 100 100`. */
export const exampleLogos = exampleLogosTable as Readonly<Record<string, string>>

export function logoSvg(body: string, attributes = 'viewBox="0 0 100 100"'): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  )
}

/** The colour of each pixel: three channels, or four of a picture that is transparent. */
type ColorAt = (x: number, y: number) => readonly number[]

export function pictureOf(widthPx: number, heightPx: number, colorAt: ColorAt): Bitmap {
  const channels = colorAt(0, 0).length === 4 ? 4 : 3
  const rows = new Uint8Array((1 + widthPx * channels) * heightPx)
  for (let y = 0, to = 0; y < heightPx; y++) {
    to += 1
    for (let x = 0; x < widthPx; x++, to += channels) rows.set(colorAt(x, y), to)
  }
  return { widthPx, heightPx, channels, rows }
}

export const encoders = {
  jpeg: (bitmap: Bitmap) => encodeJpeg(bitmap, 95),
  png: async (bitmap: Bitmap) => encodePng(bitmap),
  webp: (bitmap: Bitmap) => encodeWebp(bitmap, 95),
} as const

/** A JPEG with Exif data that say how it must be turned, by a writer of either byte order. */
export function withOrientation(jpeg: Uint8Array, orientation: number, isLittle: boolean): Buffer {
  const tiff = Buffer.alloc(26)
  const view = new DataView(tiff.buffer, tiff.byteOffset)
  tiff.write(isLittle ? 'II' : 'MM', 'latin1')
  view.setUint16(2, 42, isLittle)
  view.setUint32(4, 8, isLittle)
  view.setUint16(8, 1, isLittle)
  view.setUint16(10, 0x0112, isLittle)
  view.setUint16(12, 3, isLittle)
  view.setUint32(14, 1, isLittle)
  view.setUint16(18, orientation, isLittle)
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

/** RGBA by resvg. */
export function decodeJpeg(jpeg: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  const size = `width="${widthPx}" height="${heightPx}"`
  const href = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().pixels
}

/** Pixels of a drawing by resvg, on white. */
export function drawOnWhite(svg: string, widthPx: number): Uint8Array {
  const options = { font: { loadSystemFonts: false }, background: 'white', logLevel: 'off' } as const
  return new Resvg(svg, { ...options, fitTo: { mode: 'width', value: widthPx } }).render().pixels
}

/** How far two drawings are from each other: the mean of all channels, and the share of those that differ visibly. */
export function compareDrawings(one: Uint8Array, other: Uint8Array, farMin = 96) {
  if (one.length !== other.length) throw new Error(`${one.length} and ${other.length} bytes of pixels`)
  let sum = 0
  let far = 0
  for (let at = 0; at < one.length; at++) {
    const distance = Math.abs((one[at] as number) - (other[at] as number))
    sum += distance
    if (distance > farMin) far += 1
  }
  return { mean: sum / one.length, farShare: far / one.length }
}

/** Reads a picture, again while the process for pictures is busy or slow to start, as it is where others want the machine. */
export async function readPictureInTurn(
  bytes: Uint8Array,
  pictures: PictureDrawer,
): Promise<Awaited<ReturnType<typeof readPicture>>> {
  for (;;) {
    try {
      return await readPicture(bytes, { pictures, client: 'test' })
    } catch (error) {
      if (!(error instanceof RasterBusy)) throw error
    }
  }
}
