import { Buffer } from 'node:buffer'
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'
import { type Bitmap, bitmapOf, type PixelSize, type Pixels, release } from './bitmap.ts'
import { encodePng } from './encode-png.ts'

/** Draws an SVG with resvg and without any font, as a bitmap of the size that the document's root names, times `zoom`. */
export function drawSvg(svg: string, zoom = 1): Bitmap {
  const { pixels, width, height } = drawPremultiplied(svg, undefined, zoom)
  const bitmap = bitmapOf({ widthPx: width, heightPx: height, rgba: pixels })
  release(pixels)
  return bitmap
}

/** Like `drawSvg`, as premultiplied RGBA over a colour if there is one. Read `pixels` once: each read copies. */
export function drawPremultiplied(svg: string, background?: string, zoom = 1) {
  const image = new Resvg(svg, {
    ...(background !== undefined && { background }),
    ...resvgOptions(zoom),
  }).render()
  drawnBytes += image.width * image.height * 4
  return image
}

export function resvgOptions(zoom = 1): ResvgRenderOptions {
  return { font: { loadSystemFonts: false }, fitTo: { mode: 'zoom', value: zoom }, logLevel: 'off' }
}

/** The pixels of a PNG that was checked when it arrived, in its own size: transparent where it cannot be decoded. */
export function decodePng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const size = { widthPx: view.getUint32(16), heightPx: view.getUint32(20) }
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
  return { ...size, rgba: drawPremultiplied(pictureSvg(href, size)).pixels }
}

/** An SVG of one picture in a box, which it fills as SVG's `preserveAspectRatio` says. */
export function pictureSvg(
  href: string,
  { widthPx, heightPx }: PixelSize,
  ratio: 'xMidYMid' | 'none' = 'xMidYMid',
): string {
  const size = `width="${widthPx}" height="${heightPx}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} preserveAspectRatio="${ratio}" href="${href}"/></svg>`
}

let drawnBytes = 0

/** Bytes that resvg has allocated since the last call; they are freed only when its JS wrapper is collected. */
export function takeDrawnBytes(): number {
  const bytes = drawnBytes
  drawnBytes = 0
  return bytes
}

export function svgToPng(svg: string, zoom = 1): Uint8Array<ArrayBuffer> {
  const bitmap = drawSvg(svg, zoom)
  const png = encodePng(bitmap)
  release(bitmap.rows)
  return png
}
