import { LRUCache } from 'lru-cache'
import { emojiBody } from '../text/emoji.ts'
import { dropLargeBackground, paintBackground, paintPlainBackground } from './background.ts'
import { areaAverage, type Pixels, release, rowBytes } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { decodePng, drawPremultiplied } from './draw-svg.ts'
import type { Repaint } from './encode-png.ts'
import { backgroundColorsMaxOf, encodePicture, type PictureEncoding } from './picture-formats.ts'
import { type BackedBitmap, fillPath, type PixelCanvas, startCanvas } from './pixel-canvas.ts'
import type { Layer, PictureLayer, Scene } from './scene.ts'

export type EmojiBodies = ReadonlyMap<string, string>

export interface PaintOptions {
  /** Drawn in place of the pack's. */
  readonly emojiBodies?: EmojiBodies | undefined
  /** The background's pixels become cells of so many pixels, so that a file of it is smaller; text stays sharp. */
  readonly backgroundCellPx?: number
  /** The background becomes a backdrop of so many colours, with room for those of text; not below pictures, nor a photograph. */
  readonly backgroundColorsMax?: number | undefined
  /** Hears of every part that cannot be drawn and is left out. Without it the first one is thrown. */
  readonly onFault?: ((fault: string) => void) | undefined
}

/**
 * Paints a scene, opaque, `widthPx` wide; the height follows the scene's proportions, rounded.
 * Our own filler draws the words and backgrounds of flat shapes, resvg all other backgrounds; both kinds are cached.
 * The bitmap is valid until the next call, or until another is encoded.
 * @throws Error without `onFault`, when a part of the scene cannot be read.
 */
export function paintScene(
  scene: Scene,
  widthPx: number,
  { emojiBodies = new Map(), backgroundCellPx = 1, backgroundColorsMax, onFault }: PaintOptions = {},
): BackedBitmap {
  const heightPx = Math.round((widthPx * scene.heightPx) / scene.widthPx)
  const scaleX = widthPx / scene.widthPx
  const scaleY = heightPx / scene.heightPx
  const bitmap = startCanvas(widthPx, heightPx)
  const hasPicture = scene.layers.some(({ kind }) => kind === 'picture')
  const colorsMax = hasPicture ? undefined : backgroundColorsMax
  if (!attempt('background', () => paintBackground(scene, bitmap, colorsMax)))
    paintPlainBackground(scene, bitmap)
  if (backgroundCellPx > 1) coarsen(bitmap, backgroundCellPx)
  for (const layer of scene.layers) attempt(layer.kind, () => paintLayer(layer))
  return bitmap

  function paintLayer(layer: Layer): void {
    const [x, y] = [layer.x * scaleX, layer.y * scaleY]
    if (layer.kind === 'path') {
      const placement = { x, y, scaleX: layer.scale * scaleX, scaleY: layer.scale * scaleY }
      fillPath(layer.d, placement, layer.fill, layer.opacity, layer.foot)
    } else if (layer.kind === 'picture') {
      const width = Math.max(1, Math.round(layer.widthPx * scaleX))
      const height = Math.max(1, Math.round(layer.heightPx * scaleY))
      drawPicture(bitmap, logoPixels(layer, width, height), Math.round(x), Math.round(y))
    } else {
      const body = emojiBodies.get(layer.name) ?? emojiBody(layer.name).body
      const sidePx = Math.max(1, Math.round(layer.sidePx * scaleX))
      drawPicture(bitmap, emojiPixels(layer.name, body, sidePx), Math.round(x), Math.round(y))
    }
  }

  function attempt(part: string, paint: () => void): boolean {
    try {
      paint()
      return true
    } catch (error) {
      if (onFault === undefined) throw error
      onFault(`${part}: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }
}

function coarsen({ widthPx, heightPx, rows }: PixelCanvas, cellPx: number): void {
  const stride = rowBytes(widthPx, 3)
  for (let top = 0; top < heightPx; top += cellPx)
    for (let left = 0; left < widthPx; left += cellPx) {
      const bottom = Math.min(heightPx, top + cellPx)
      const cellBytes = 3 * Math.min(widthPx - left, cellPx)
      for (let channel = 0; channel < 3; channel++) {
        const start = top * stride + 1 + left * 3 + channel
        let sum = 0
        for (let y = top, row = start; y < bottom; y++, row += stride)
          for (let at = row; at < row + cellBytes; at += 3) sum += rows[at] as number
        const mean = Math.round((sum * 3) / cellBytes / (bottom - top))
        for (let y = top, row = start; y < bottom; y++, row += stride)
          for (let at = row; at < row + cellBytes; at += 3) rows[at] = mean
      }
    }
}

/** Paints a scene again for an encoder whose file is too large; undefined when there is no photograph in it. */
export function repainting(scene: Scene, widthPx: number, options: PaintOptions = {}): Repaint | undefined {
  if (scene.background.picture === undefined) return undefined
  return (backgroundCellPx) => paintScene(scene, widthPx, { ...options, backgroundCellPx })
}

/** Emoji and logos by name and size, because a brand's logo is on all of its cards. */
const drawn = new LRUCache<string, Pixels>({
  maxSize: rasterCacheBytes.pictures,
  sizeCalculation: ({ rgba }, key) => rgba.length + key.length * 2 + 200,
})

function cached(key: string, draw: () => Pixels): Pixels {
  const pixels = drawn.get(key) ?? draw()
  drawn.set(key, pixels)
  return pixels
}

/** A logo in another size than its own, because resvg takes too few of its pixels where it makes it smaller. */
export function logoPixels({ key, png }: PictureLayer, widthPx: number, heightPx: number): Pixels {
  return cached(`logo ${key} ${widthPx} ${heightPx}`, () => {
    const whole = decodePng(png)
    const scaled = areaAverage(whole, { widthPx, heightPx })
    if (scaled.rgba !== whole.rgba) release(whole.rgba)
    return scaled
  })
}

function emojiPixels(name: string, body: string, sidePx: number): Pixels {
  return cached(`emoji ${name} ${sidePx}`, () => {
    const size = `width="${sidePx}" height="${sidePx}" viewBox="0 0 36 36"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`
    return { widthPx: sidePx, heightPx: sidePx, rgba: drawPremultiplied(svg).pixels }
  })
}

/** Draws a picture into an opaque bitmap, on whole pixels; what lies outside is cut off. */
export function drawPicture(bitmap: BackedBitmap, picture: Pixels, left: number, top: number): void {
  const { rows, widthPx, heightPx, backdrop } = bitmap
  const { rgba } = picture
  const stride = rowBytes(widthPx, 3)
  const fromX = Math.max(0, -left)
  const toX = Math.min(picture.widthPx, widthPx - left)
  const toY = Math.min(picture.heightPx, heightPx - top)
  for (let y = Math.max(0, -top); y < toY; y++) {
    backdrop?.uncover(top + y, left + fromX, left + toX)
    let from = (y * picture.widthPx + fromX) * 4
    let to = (top + y) * stride + 1 + (left + fromX) * 3
    for (let x = fromX; x < toX; x++, from += 4, to += 3) {
      const rest = 255 - (rgba[from + 3] as number)
      if (rest === 255) continue
      for (let channel = 0; channel < 3; channel++) {
        const under = Math.round(((rows[to + channel] as number) * rest) / 255)
        rows[to + channel] = Math.min(255, (rgba[from + channel] as number) + under)
      }
    }
  }
}

/** @param onFault hears what is left out because it cannot be drawn */
export async function drawScene(
  scene: Scene,
  widthPx: number,
  encoding: PictureEncoding,
  onFault: (fault: string) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const options = { backgroundColorsMax: backgroundColorsMaxOf(encoding), onFault }
  try {
    const bitmap = paintScene(scene, widthPx, options)
    return await encodePicture(bitmap, encoding, repainting(scene, widthPx, options))
  } finally {
    dropLargeBackground()
  }
}
