import { LRUCache } from 'lru-cache'
import { parseHex, white } from '../lib/color.ts'
import { backgroundSvg } from './background-svg.ts'
import { rowBytes } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { drawPremultiplied } from './draw-svg.ts'
import { fillPath } from './fill-path.ts'
import { type FlatShape, flatShapes } from './flat-shapes.ts'
import { indexBackground, indexShapes } from './index-background.ts'
import type { PixelCanvas } from './pixel-canvas.ts'
import { release } from './release.ts'
import { restoreRows, rowChanges } from './row-changes.ts'
import type { Scene } from './scene.ts'
import { createExpander, zlibCompress } from './zlib.ts'

type Rows = Uint8Array<ArrayBuffer>

const photographBytesMax = rasterCacheBytes.photographs
/** The latest backgrounds with a photograph, which hardly gets smaller and takes longer to pack than to draw. */
const photographs = new LRUCache<string, Rows>({
  maxSize: photographBytesMax,
  sizeCalculation: (rows) => rows.length,
})

interface PackedBackground {
  /** Changes from row to row, compressed. */
  readonly pieces: readonly Uint8Array[]
  /** Present when the rows are of numbers of these colours. */
  readonly colors: Int32Array | undefined
}

/** All others in 1 to 50 KB each: unpacking takes half a ms where drawing takes 20 to 40. */
const packedCache = new LRUCache<string, PackedBackground>({
  maxSize: rasterCacheBytes.packedBackgrounds,
  sizeCalculation: ({ pieces, colors }) =>
    pieces.reduce((bytes, piece) => bytes + piece.length + 100, 200 + (colors?.byteLength ?? 0)),
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
  canvas.packRgba()
  const { rows } = canvas
  if (rows.length > photographBytesMax) large = { key, rows: rows.slice() }
  else keep(key, rows)
}

function paintDrawing(scene: Scene, canvas: PixelCanvas, colorsMax?: number): void {
  const key = `${keyOf(scene, canvas.widthPx)} ${colorsMax}`
  const cached = packedCache.get(key)
  if (cached) {
    const { rows, stride } = packedRows(canvas, cached.colors)
    restoreRows(rows, stride, unpacked(cached.pieces))
    if (cached.colors) canvas.startBackdrop(cached.colors)
    return
  }
  const shapes = flatShapes(scene.background)
  const colors = shapes
    ? paintShapes(scene, canvas, shapes, colorsMax)
    : drawWithResvg(scene, canvas, colorsMax)
  const { rows, stride } = packedRows(canvas, colors)
  packedCache.set(key, { pieces: pack(rows, stride), colors })
  if (colors) canvas.startBackdrop(colors)
}

/**
 * Draws a background as numbers of at most `colorsMax` colours, which it returns; as pixels without `colorsMax`, or when it
 * has more than 4096 colours.
 */
function drawWithResvg(scene: Scene, canvas: PixelCanvas, colorsMax?: number): Int32Array | undefined {
  draw(scene, canvas)
  const colors = colorsMax === undefined ? undefined : indexBackground(canvas, colorsMax)
  if (!colors) canvas.packRgba()
  return colors
}

/** Paints a background over a backdrop of one colour, with the result of `drawWithResvg` in half of its time or less. */
function paintShapes(
  { widthPx, heightPx, background }: Scene,
  canvas: PixelCanvas,
  shapes: readonly FlatShape[],
  colorsMax?: number,
): Int32Array | undefined {
  const backdrop = canvas.startPlainBackdrop(parseHex(background.color) ?? white)
  const placement = { x: 0, y: 0, scaleX: canvas.widthPx / widthPx, scaleY: canvas.heightPx / heightPx }
  for (const { fill, d } of shapes) fillPath(d, placement, fill)
  const colors = colorsMax === undefined ? undefined : indexShapes(backdrop, colorsMax)
  if (!colors) backdrop.end()
  return colors
}

/** The rows that are kept of a background, and their bytes: those of numbers if it has few colours. */
function packedRows({ numbers, rows, widthPx }: PixelCanvas, colors: Int32Array | undefined) {
  return colors ? { rows: numbers, stride: rowBytes(widthPx, 1) } : { rows, stride: rowBytes(widthPx, 3) }
}

/** Paints the one colour of the scene's background, where the background itself cannot be drawn. */
export function paintPlainBackground({ background }: Scene, canvas: PixelCanvas): void {
  // The attempt to draw it may have left a backdrop, below which pictures are not seen.
  canvas.backdrop?.end()
  const { rows, widthPx } = canvas
  const { r, g, b } = parseHex(background.color) ?? white
  const stride = rowBytes(widthPx, 3)
  for (let at = 0; at < rows.length; at++) {
    const channel = at % stride
    rows[at] = channel === 0 ? 0 : ([b, r, g][channel % 3] as number)
  }
}

const expand = createExpander()

/** Each piece is valid until the next one. */
function* unpacked(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const packed of pieces) yield expand(packed)
}

function pack(rows: Rows, stride: number): readonly Uint8Array[] {
  return Array.from(rowChanges(rows, stride), (piece) => {
    const packed = zlibCompress(piece, 6)
    const kept = Uint8Array.from(packed)
    release(packed)
    return kept
  })
}

/** To be called when a picture is encoded: a large photograph is kept for as long as it may be painted over again. */
export function dropLargeBackground(): void {
  large = undefined
}

function keyOf({ background }: Scene, widthPx: number): string {
  return `${widthPx} ${background.key}`
}

/** Keeps a copy of the rows, in the buffer of the one that it replaces: fresh memory each time would pile up. */
function keep(key: string, rows: Rows): void {
  const isFull = photographs.calculatedSize + rows.length > photographBytesMax
  const oldest = isFull ? photographs.pop() : undefined
  const copy = oldest?.length === rows.length ? oldest : new Uint8Array(rows.length)
  copy.set(rows)
  photographs.set(key, copy)
}

/** Draws the background over its colour, so that every pixel is opaque, however little of it the shapes cover. */
function draw({ background, ...scene }: Scene, { widthPx, heightPx, rgba }: PixelCanvas): void {
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 ${scene.widthPx} ${scene.heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  const { pixels } = drawPremultiplied(`${head}${backgroundSvg(background)}</svg>`, {}, background.color)
  rgba.set(pixels)
  release(pixels)
}
