import { Buffer } from 'node:buffer'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { createInflate } from 'node:zlib'
import startLibwebp from '@jsquash/webp/codec/dec/webp_dec.js'
import { renderAsync } from '@resvg/resvg-js'
import { relativeLuminance } from '../../lib/color.ts'
import { isExecutable } from '../../lib/package-files.ts'
import {
  areaAverage,
  type Bitmap,
  bitmapOf,
  fitSize,
  type PixelSize,
  type Pixels,
  turnUpright,
  visibleBox,
} from '../bitmap.ts'
import { pictureSvg, resvgOptions } from '../draw-svg.ts'
import { encodeJpeg, readCodec } from '../encode-lossy.ts'
import { encodePng } from '../encode-png.ts'
import { encodeWithin, qualitiesFrom } from '../encode-within.ts'
import { readPictureHeader } from '../picture-headers.ts'
import type {
  BackgroundPixels,
  ConvertedPixels,
  EncodedBackground,
  EncodedPicture,
  FacePixels,
  LogoPixels,
  PictureGrid,
} from './picture-messages.ts'

/** Undefined where nothing of the picture can be seen. */
export function convertPicture(job: ConvertedPixels) {
  if (job.kind === 'logo') return encodeLogo(job)
  return job.kind === 'face' ? encodeFace(job) : encodeBackground(job)
}

/** The middle of a picture as an upright PNG, transparent outside of the circle in it. */
async function encodeFace(job: FacePixels): Promise<Uint8Array | undefined> {
  const pixels = await decodePicture(job)
  if (pixels === undefined || visibleBox(pixels) === undefined) return undefined
  const { widthPx, heightPx } = pixels
  const side = Math.min(widthPx, heightPx)
  const [left, top] = [Math.floor((widthPx - side) / 2), Math.floor((heightPx - side) / 2)]
  const size = { widthPx: job.sidePx, heightPx: job.sidePx }
  const square = areaAverage(pixels, size, { left, top, widthPx: side, heightPx: side })
  return encodePng(bitmapOf(inCircle(turnUpright(square, job.orientation))))
}

/** Its pixels are premultiplied: a share of one is a share of each channel. */
function inCircle(pixels: Pixels): Pixels {
  const { widthPx, rgba } = pixels
  const radius = widthPx / 2
  for (let at = 0; at < rgba.length; at += 4) {
    const [x, y] = [(at / 4) % widthPx, Math.floor(at / 4 / widthPx)]
    const distance = Math.sqrt((x + 0.5 - radius) ** 2 + (y + 0.5 - radius) ** 2)
    const share = Math.min(1, Math.max(0, radius - distance + 0.5))
    if (share < 1)
      for (let channel = at; channel < at + 4; channel++)
        rgba[channel] = Math.round((rgba[channel] as number) * share)
  }
  return pixels
}

/** An SVG becomes shapes, or the reason why not; other logos a small, upright PNG without margins. Undefined: nothing to see. */
export async function encodeLogo(job: LogoPixels): Promise<Uint8Array | undefined> {
  const text = job.type === 'svg+xml' ? await shapesOnThread(job.base64) : undefined
  if (text !== undefined) return Buffer.from(text)
  const pixels = await decodePicture(job)
  const box = pixels && visibleBox(pixels)
  if (pixels === undefined || box === undefined) return undefined
  const small = areaAverage(pixels, fitSize(box, job.sidePxMax), box)
  return encodePng(bitmapOf(turnUpright(small, job.orientation)))
}

/** See `svg-thread.ts`. The thread ends with its answer, and what it holds with it. */
function shapesOnThread(base64: string): Promise<string | undefined> {
  // In an executable the whole program is one file in the place of `src/main.ts`, and this one keeps its folder.
  const program = isExecutable ? './raster/picture-process/svg-thread.ts' : './svg-thread.ts'
  const thread = new Worker(new URL(program, import.meta.url))
  return new Promise<string | undefined>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.postMessage(Buffer.from(base64, 'base64').toString())
  }).finally(() => void thread.terminate())
}

/** A small, upright, opaque JPEG (a file of ours stays) with what its decoded pixels measure; undefined where nothing is seen. */
export async function encodeBackground(job: BackgroundPixels): Promise<Uint8Array | undefined> {
  const bitmap = await backgroundBitmap(job)
  if (bitmap === undefined) return undefined
  const { quality, bytesMax = Number.POSITIVE_INFINITY } = job
  const encode = (setting: { readonly quality: number }) => encodeJpeg(bitmap, setting.quality)
  const encoded = await encodeWithin(qualitiesFrom(quality), encode, bytesMax)
  const isOwn = isOwnJpeg(Buffer.from(job.base64, 'base64'), encoded)
  const base64 = isOwn ? job.base64 : Buffer.from(encoded).toString('base64')
  const { widthPx, heightPx } = bitmap
  const shown = await decodePicture({ type: 'jpeg', base64, widthPx, heightPx, orientation: 1 })
  if (shown === undefined) return undefined
  const background: EncodedBackground = { widthPx, heightPx, grid: measureGrid(shown), base64 }
  return Buffer.from(JSON.stringify(background))
}

async function backgroundBitmap(job: BackgroundPixels): Promise<Bitmap | undefined> {
  const size = fitSize(job, job.sidePxMax, job.pixelsMax)
  const drawn = await decodePicture(job, size)
  if (drawn === undefined || visibleBox(drawn) === undefined) return undefined
  return bitmapOf(onWhite(turnUpright(areaAverage(drawn, size), job.orientation)))
}

function onWhite(pixels: Pixels): Pixels {
  const { rgba } = pixels
  for (let at = 0; at < rgba.length; at += 4) {
    const rest = 255 - (rgba[at + 3] as number)
    for (let channel = at; channel < at + 4; channel++) rgba[channel] = (rgba[channel] as number) + rest
  }
  return pixels
}

/**
 * Tells a file that our encoder wrote: all before its pixels is what `own` has there, a JPEG of the same size and quality that
 * we have just encoded, and the rest is codes of pixels to the end. It carries nothing else, and encoding it again makes it worse.
 */
export function isOwnJpeg(file: Uint8Array, own: Uint8Array): boolean {
  const start = readPictureHeader('jpeg', own)?.scanAt
  if (start === undefined || file.length < start + 2) return false
  for (let at = 0; at < start; at++) if (file[at] !== own[at]) return false
  const end = file.length - 2
  for (let at = start; at < end; at++) {
    // Within codes a byte of 255 is followed by a 0.
    if (file[at] === 0xff && file[at + 1] !== 0) return false
  }
  return file[end] === 0xff && file[end + 1] === endOfImage
}

const endOfImage = 0xd9

const side = 16

const values = { length: 256 }
/** The share of each value of red, green and blue in the relative luminance, which is their sum. */
const reds = Float64Array.from(values, (_, r) => relativeLuminance({ r, g: 0, b: 0 }))
const greens = Float64Array.from(values, (_, g) => relativeLuminance({ r: 0, g, b: 0 }))
const blues = Float64Array.from(values, (_, b) => relativeLuminance({ r: 0, g: 0, b }))

/** The lightness of an opaque picture in 16 by 16 cells (fewer where it has fewer pixels). */
export function measureGrid(pixels: Pixels): PictureGrid {
  const columns = Math.min(side, pixels.widthPx)
  const rows = Math.min(side, pixels.heightPx)
  const leftOf = (column: number) => Math.floor((column * pixels.widthPx) / columns)
  const topOf = (row: number) => Math.floor((row * pixels.heightPx) / rows)
  const cells = Array.from({ length: rows * columns }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)]
    return measureCell(pixels, leftOf(column), leftOf(column + 1), topOf(row), topOf(row + 1))
  })
  return { columns, rows, cells }
}

function measureCell({ widthPx, rgba }: Pixels, left: number, right: number, top: number, bottom: number) {
  let min = 1
  let max = 0
  let r = 0
  let g = 0
  let b = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left, at = (y * widthPx + left) * 4; x < right; x++, at += 4) {
      const red = rgba[at] as number
      const green = rgba[at + 1] as number
      const blue = rgba[at + 2] as number
      const light = (reds[red] as number) + (greens[green] as number) + (blues[blue] as number)
      if (light < min) min = light
      if (light > max) max = light
      r += red
      g += green
      b += blue
    }
  }
  const count = (right - left) * (bottom - top)
  return { min, max, mean: { r: r / count, g: g / count, b: b / count } }
}

/** A file with a checked header as stored pixels, in the wanted size or larger; undefined where it cannot be decoded. */
export async function decodePicture(
  picture: EncodedPicture,
  wanted: PixelSize = picture,
): Promise<Pixels | undefined> {
  const { type, widthPx, heightPx, base64 } = picture
  if (type === 'webp') {
    const pixels = await decodeWebp(Buffer.from(base64, 'base64'))
    return pixels?.widthPx === widthPx && pixels.heightPx === heightPx ? pixels : undefined
  }
  if (type === 'png' && !(await unpacksToItsSize(Buffer.from(base64, 'base64')))) return undefined
  // Its filter reaches over four pixels: for less than half of the size it would leave some out.
  const times = wanted.widthPx * 2 <= widthPx ? 2 : 1
  const drawnWidthPx = Math.min(widthPx, wanted.widthPx * times)
  const size = { widthPx: drawnWidthPx, heightPx: Math.min(heightPx, wanted.heightPx * times) }
  // Another size than the header's would be drawn scaled: the box is filled whatever the decoder finds.
  const ratio = type === 'svg+xml' ? 'xMidYMid' : 'none'
  const svg = pictureSvg(`data:image/${type};base64,${base64}`, size, ratio)
  const drawn = await renderAsync(svg, resvgOptions())
  // Each read of `pixels` copies them.
  return { widthPx: drawn.width, heightPx: drawn.height, rgba: drawn.pixels }
}

/** libwebp runs where it is called: what it takes is bounded by the size in the header, and by who waits for the process. */
async function decodeWebp(bytes: Uint8Array): Promise<Pixels | undefined> {
  const library = await startLibwebp({ noInitialRun: true, wasmBinary: readCodec('webpDecoder') })
  const image = library.decode(bytes)
  if (!image) return undefined
  const rgba = new Uint8Array(image.data.buffer, image.data.byteOffset, image.data.byteLength)
  premultiply(rgba)
  return { widthPx: image.width, heightPx: image.height, rgba }
}

function premultiply(rgba: Uint8Array): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++)
      rgba[channel] = Math.round(((rgba[channel] as number) * alpha) / 255)
  }
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** First column and row, and the distance to the next ones, of each pass of an interlaced picture. */
const passes = '0088 4088 0448 2044 0224 1022 0112'.split(' ').map((pass) => Array.from(pass, Number))
/** Writers that close their last row or block carelessly leave so much behind. */
const slackBytes = 65_536
const headerAt = 16

/**
 * Tells whether the pixels of a whole PNG unpack to no more than its size needs: resvg unpacks all that follows too, for seconds
 * where a megabyte holds a gigabyte. What is no valid deflate is left to it.
 */
export async function unpacksToItsSize(bytes: Uint8Array): Promise<boolean> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bytesMax = pixelBytes(data) + slackBytes
  let unpacked = 0
  async function count(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      unpacked += piece.byteLength
      // Leaving the loop ends the inflating too.
      if (unpacked > bytesMax) return
    }
  }
  await pipeline([packedPixels(data)], createInflate(), count).catch(() => undefined)
  return unpacked <= bytesMax
}

/** The data of all its chunks in one piece, because a file may have tens of thousands of chunks of one byte. */
export function packedPixels(png: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') pieces.push(png.subarray(at + 8, end))
    at = end + 4
  }
  return Buffer.concat(pieces)
}

/** The bytes of the rows of all passes, each with that of its filter. */
export function pixelBytes(data: Buffer): number {
  const [widthPx, heightPx] = [data.readUInt32BE(headerAt), data.readUInt32BE(headerAt + 4)]
  const [depth = 8, colors = 6, , , interlace] = data.subarray(headerAt + 8, headerAt + 13)
  const pixelBits = depth * (channelsOf[colors] ?? 4)
  let total = 0
  for (const [x = 0, y = 0, stepX = 1, stepY = 1] of interlace === 1 ? passes : [[]]) {
    const columns = Math.ceil((widthPx - x) / stepX)
    const rows = Math.ceil((heightPx - y) / stepY)
    if (columns > 0 && rows > 0) total += rows * (1 + Math.ceil((columns * pixelBits) / 8))
  }
  return total
}
