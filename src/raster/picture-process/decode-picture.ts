import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import startLibwebp from '@jsquash/webp/codec/dec/webp_dec.js'
import { renderAsync } from '@resvg/resvg-js'
import { packageFile } from '../../lib/package-files.ts'
import { webpDecoderFile } from '../codec-files.ts'
import { pictureSvg, resvgOptions } from '../draw-svg.ts'
import { unpacksToItsSize } from '../picture-headers/png-data.ts'
import type { PixelSize, Pixels } from '../pixels.ts'
import type { EncodedPicture } from './picture-messages.ts'

/**
 * The pixels of a file whose header was checked, as they are stored; undefined where it cannot be decoded. A size that
 * is asked for may be had from the decoder: what comes is that size or larger.
 */
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
  const size = {
    widthPx: Math.min(widthPx, wanted.widthPx * times),
    heightPx: Math.min(heightPx, wanted.heightPx * times),
  }
  // Another size than the header's would be drawn scaled: the box is filled whatever the decoder finds.
  const ratio = type === 'svg+xml' ? 'xMidYMid' : 'none'
  const svg = pictureSvg(`data:image/${type};base64,${base64}`, size, ratio)
  const drawn = await renderAsync(svg, resvgOptions())
  // Each read of `pixels` copies them.
  return { widthPx: drawn.width, heightPx: drawn.height, rgba: drawn.pixels }
}

/** libwebp runs where it is called: what it takes is bounded by the size in the header, and by who waits for the process. */
async function decodeWebp(bytes: Uint8Array): Promise<Pixels | undefined> {
  const { packageName, file } = webpDecoderFile
  const library = await startLibwebp({
    noInitialRun: true,
    wasmBinary: readFileSync(packageFile(packageName, file)),
  })
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
