import { inflateSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { parseHex, white } from '../lib/color.ts'
import { release } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { drawPremultiplied } from './draw-svg.ts'
import { deflate } from './encode-within.ts'
import { squaredSteps } from './palette.ts'
import { type ColorCounts, countColors, fillPath, numberColors, type PixelCanvas } from './pixel-canvas.ts'
import { cutByMedian } from './quantize-colors.ts'
import { type Background, backgroundSvg, type Scene } from './scene.ts'

/**
 * The latest backgrounds with a photograph, which hardly gets smaller and takes longer to pack than to draw. A larger one than the
 * cache takes is alone in it, until `dropLargeBackground`.
 */
const photographs = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: rasterCacheBytes.photographs,
  sizeCalculation: (rows) => Math.min(rows.length, rasterCacheBytes.photographs),
  dispose: release,
})

/** All others, 1 to 50 KB each: unpacking takes 0.2 ms, drawing 20 to 40. With `colors` the rows are of numbers of these. */
const packedCache = new LRUCache<string, { rows: Uint8Array; colors: Int32Array | undefined }>({
  maxSize: rasterCacheBytes.packedBackgrounds,
  sizeCalculation: ({ rows, colors }) => rows.length + 300 + (colors?.byteLength ?? 0),
})

/** The latest ones unpacked. The engine would soon collect garbage for their memory, however early it was released. */
const unpacked = new LRUCache<string, Uint8Array>({
  maxSize: rasterCacheBytes.unpackedBackgrounds,
  sizeCalculation: (rows) => rows.length,
  dispose: release,
})

/** One without a photograph becomes a backdrop of at most `colorsMax` colours if it is wanted. */
export function paintBackground(scene: Scene, canvas: PixelCanvas, colorsMax?: number): void {
  if (scene.background.picture === undefined) paintDrawing(scene, canvas, colorsMax)
  else paintPhotograph(scene, canvas)
}

function paintPhotograph(scene: Scene, canvas: PixelCanvas): void {
  const key = keyOf(scene, canvas.widthPx)
  const photograph = photographs.get(key)
  if (photograph) {
    canvas.rows.set(photograph)
    return
  }
  draw(scene, canvas)
  photographs.set(key, canvas.rows.slice())
}

function paintDrawing(scene: Scene, canvas: PixelCanvas, colorsMax?: number): void {
  const key = `${keyOf(scene, canvas.widthPx)} ${colorsMax}`
  const cached = packedCache.get(key)
  if (cached) {
    const to = cached.colors ? canvas.numbers : canvas.rows
    const rows = unpacked.get(key) ?? inflateSync(cached.rows, { chunkSize: to.length + 1 })
    unpacked.set(key, rows)
    to.set(rows)
    // It is larger than the cache.
    if (!unpacked.has(key)) release(rows)
    if (cached.colors) canvas.startBackdrop(cached.colors)
    return
  }
  const shapes = flatShapes(scene.background)
  if (shapes) {
    startPlainBackdrop(scene, canvas)
    const scaleX = canvas.widthPx / scene.widthPx
    const scaleY = canvas.heightPx / scene.heightPx
    for (const { fill, d } of shapes) fillPath(d, { x: 0, y: 0, scaleX, scaleY }, fill)
  } else draw(scene, canvas)
  const colors = colorsMax === undefined ? undefined : indexBackground(canvas, colorsMax)
  if (!colors) canvas.backdrop?.end()
  const packed = deflate(colors ? canvas.numbers : canvas.rows)
  packedCache.set(key, { rows: Uint8Array.from(packed), colors })
  release(packed)
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
  for (const [key, rows] of photographs.entries())
    if (rows.length > rasterCacheBytes.photographs) photographs.delete(key)
}

function keyOf({ background }: Scene, widthPx: number): string {
  return `${widthPx} ${background.key}`
}

/** Draws the background over its colour, so that every pixel is opaque, however little of it the shapes cover. */
function draw({ background, ...scene }: Scene, canvas: PixelCanvas): void {
  const { widthPx, heightPx } = canvas
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 ${scene.widthPx} ${scene.heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  const { pixels } = drawPremultiplied(`${head}${backgroundSvg(background)}</svg>`, background.color)
  canvas.rgba.set(pixels)
  release(pixels)
  canvas.packRgba()
}

const flatShape = /<path fill="(#[0-9a-f]{6})" d="([^"]*)"\/>/y

/** The shapes of a background of nothing but opaque paths, without those at its beginning in its own colour; else undefined. */
export function flatShapes({ color, defs, body }: Background) {
  if (defs !== '') return undefined
  const shapes: Readonly<Record<'fill' | 'd', string>>[] = []
  let read = 0
  while (read < body.length) {
    flatShape.lastIndex = read
    const [, fill, d] = flatShape.exec(body) ?? []
    if (fill === undefined || d === undefined) return undefined
    if (shapes.length > 0 || fill !== color) shapes.push({ fill, d })
    read = flatShape.lastIndex
  }
  return shapes
}

/** Makes the canvas a backdrop of at most `colorsMax` colours (0xAARRGGBB). Undefined beyond 4096 colours: the picture stays. */
function indexBackground(canvas: PixelCanvas, colorsMax: number): Int32Array | undefined {
  const { backdrop } = canvas
  const counted = countColors(backdrop !== undefined)
  if (!counted) return undefined
  const before = backdrop?.colors ?? []
  const isReduced = counted.values.length + before.length > colorsMax
  const over = isReduced ? fewerColors(counted, colorsMax - before.length) : counted.values
  const colors = Int32Array.from(new Set([...before, ...over]))
  const numbers = Uint8Array.from(counted.values, (color) => nearestOf(color, colors))
  numberColors(canvas, numbers)
  canvas.startBackdrop(colors)
  if (isReduced && !backdrop) canvas.joinPairsOfRows()
  return colors
}

function nearestOf(color: number, colors: Int32Array): number {
  let nearest = 0
  let least = Infinity
  for (let place = 0; place < colors.length; place++) {
    const steps = squaredSteps(color, colors[place] as number)
    if (steps >= least) continue
    least = steps
    nearest = place
  }
  return nearest
}

function fewerColors({ values, counts }: ColorCounts, colorsMax: number): Int32Array {
  const levels = (shift: number) => Float64Array.from(values, (color) => (color >> shift) & 255)
  const weights = Float64Array.from(counts, weightOf)
  const palette = cutByMedian({ weights, levels: [levels(16), levels(8), levels(0)] }, colorsMax)
  return Int32Array.from(palette, ([red, green, blue]) => (255 << 24) | (red << 16) | (green << 8) | blue)
}

/**
 * A colour counts by its pixels to the power of 0.75, by roots because powers differ between runtimes. With an
 * exponent of 1 the narrow bands of a steep gradient move by up to 6 steps of 255, with 0.5 the wide bands of a slow one
 * begin to show.
 */
function weightOf(count: number): number {
  return Math.sqrt(count * Math.sqrt(count))
}
