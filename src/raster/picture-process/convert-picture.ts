import { Buffer } from 'node:buffer'
import { Worker } from 'node:worker_threads'
import { isExecutable } from '../../lib/is-executable.ts'
import { type Bitmap, bitmapOf } from '../bitmap.ts'
import { encodeJpeg } from '../encode-jpeg.ts'
import { encodePng } from '../encode-png.ts'
import { areaAverage, fitSize, type Pixels, turnUpright, visibleBox } from '../pixels.ts'
import { decodePicture } from './decode-picture.ts'
import { isOwnJpeg } from './own-jpeg.ts'
import { measureGrid } from './picture-grid.ts'
import type { BackgroundPixels, EncodedBackground, LogoPixels } from './picture-messages.ts'

/**
 * A logo: an SVG that shapes can say as one of `writeShapesSvg`, or as the reason why it cannot be drawn; any other without
 * transparent margins, made small, upright, as PNG. Undefined where nothing of it can be seen.
 */
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

/**
 * An `EncodedBackground` of a picture made small, upright and opaque (on white), as JPEG, which a file that is one of ours
 * already stays, with what was measured of its pixels as they are when that JPEG is decoded; undefined where nothing can be
 * seen.
 */
export async function encodeBackground(job: BackgroundPixels): Promise<Uint8Array | undefined> {
  const bitmap = await backgroundBitmap(job)
  if (bitmap === undefined) return undefined
  const encoded = await encodeJpeg(bitmap, job.quality)
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

/** Lays a picture on white, in its place. */
function onWhite(pixels: Pixels): Pixels {
  const { rgba } = pixels
  for (let at = 0; at < rgba.length; at += 4) {
    const rest = 255 - (rgba[at + 3] as number)
    rgba[at] = (rgba[at] as number) + rest
    rgba[at + 1] = (rgba[at + 1] as number) + rest
    rgba[at + 2] = (rgba[at + 2] as number) + rest
    rgba[at + 3] = 255
  }
  return pixels
}
