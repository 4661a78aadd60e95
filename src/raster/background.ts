import { inflateSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { parseHex, white } from '../lib/color.ts'
import { backgroundSvg } from './background-svg.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { deflate } from './deflate.ts'
import { drawPremultiplied } from './draw-svg.ts'
import { fillPath } from './fill-path.ts'
import { type FlatShape, flatShapes } from './flat-shapes.ts'
import { indexBackground } from './index-background.ts'
import type { PixelCanvas } from './pixel-canvas.ts'
import { release } from './release.ts'
import type { Scene } from './scene.ts'

type Rows = Uint8Array<ArrayBuffer>

const photographBytesMax = rasterCacheBytes.photographs
/** The latest backgrounds with a photograph, which hardly gets smaller and takes longer to pack than to draw. */
const photographs = new LRUCache<string, Rows>({
  maxSize: photographBytesMax,
  sizeCalculation: (rows) => rows.length,
  dispose: release,
})

interface PackedBackground {
  /** Compressed. */
  readonly rows: Uint8Array
  /** Present when the rows are of numbers of these colours. */
  readonly colors: Int32Array | undefined
}

/** All others in 1 to 50 KB each: unpacking takes a fifth of a ms where drawing takes 20 to 40. */
const packedCache = new LRUCache<string, PackedBackground>({
  maxSize: rasterCacheBytes.packedBackgrounds,
  sizeCalculation: ({ rows, colors }) => rows.length + 300 + (colors?.byteLength ?? 0),
})

/** A photograph of which one is more than the cache takes, until `dropLargeBackground`. */
let large: { readonly key: string; readonly rows: Rows } | undefined

/**
 * Paints the scene's background over all rows of a canvas, opaque; one without a photograph becomes a backdrop of at most
 * `colorsMax` colours if it is wanted.
 */
export function paintBackground(scene: Scene, canvas: PixelCanvas, colorsMax?: number): void {
  if (scene.background.picture === undefined) paintDrawing(scene, canvas, colorsMax)
  else paintPhotograph(scene, canvas)
}

function paintPhotograph(scene: Scene, canvas: PixelCanvas): void {
  const key = keyOf(scene, canvas.widthPx)
  const photograph = photographs.get(key) ?? (large?.key === key ? large.rows : undefined)
  if (photograph) {
    canvas.rows.set(photograph)
    return
  }
  draw(scene, canvas)
  const rows = canvas.rows.slice()
  if (rows.length > photographBytesMax) large = { key, rows }
  else photographs.set(key, rows)
}

function paintDrawing(scene: Scene, canvas: PixelCanvas, colorsMax?: number): void {
  const key = `${keyOf(scene, canvas.widthPx)} ${colorsMax}`
  const cached = packedCache.get(key)
  if (cached) {
    const to = cached.colors ? canvas.numbers : canvas.rows
    const rows = inflateSync(cached.rows, { chunkSize: to.length + 1 })
    to.set(rows)
    release(rows)
    if (cached.colors) canvas.startBackdrop(cached.colors)
    return
  }
  const shapes = flatShapes(scene.background)
  if (shapes) paintShapes(scene, canvas, shapes)
  else draw(scene, canvas)
  const colors = colorsMax === undefined ? undefined : indexBackground(canvas, colorsMax)
  if (!colors) canvas.backdrop?.end()
  const packed = deflate(colors ? canvas.numbers : canvas.rows)
  packedCache.set(key, { rows: Uint8Array.from(packed), colors })
  release(packed)
}

/** Paints a background of nothing but shapes, in half of the time that resvg takes or less, over a backdrop of one colour. */
function paintShapes(scene: Scene, canvas: PixelCanvas, shapes: readonly FlatShape[]): void {
  startPlainBackdrop(scene, canvas)
  const scaleX = canvas.widthPx / scene.widthPx
  const scaleY = canvas.heightPx / scene.heightPx
  for (const { fill, d } of shapes) fillPath(d, { x: 0, y: 0, scaleX, scaleY }, fill)
}

/** Paints the one colour of the scene's background, where the background itself cannot be drawn. */
export function paintPlainBackground(scene: Scene, canvas: PixelCanvas): void {
  startPlainBackdrop(scene, canvas)
  // Pictures are not seen below one.
  canvas.backdrop?.end()
}

function startPlainBackdrop({ background }: Scene, canvas: PixelCanvas): void {
  const { r, g, b } = parseHex(background.color) ?? white
  canvas.numbers.fill(0)
  canvas.startBackdrop(Int32Array.of((255 << 24) | (r << 16) | (g << 8) | b))
}

/** To be called when a picture is encoded: a large photograph is kept for as long as it may be painted over again. */
export function dropLargeBackground(): void {
  large = undefined
}

function keyOf({ background }: Scene, widthPx: number): string {
  return `${widthPx} ${background.key}`
}

/** Draws the background over its colour, so that every pixel is opaque, however little of it the shapes cover. */
function draw({ background, ...scene }: Scene, canvas: PixelCanvas): void {
  const { widthPx, heightPx } = canvas
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 ${scene.widthPx} ${scene.heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  const { pixels } = drawPremultiplied(`${head}${backgroundSvg(background)}</svg>`, {}, background.color)
  canvas.rgba.set(pixels)
  release(pixels)
  canvas.packRgba()
}
