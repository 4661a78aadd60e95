import { LRUCache } from 'lru-cache'
import { parseHex, white } from '../lib/color.ts'
import { backgroundSvg } from './background-svg.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { drawSvgOver } from './draw-svg.ts'
import { indexBackground } from './index-background.ts'
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

function paintPhotograph(scene: Scene, { rows, widthPx, heightPx }: Bitmap): void {
  const key = keyOf(scene, widthPx)
  const photograph = photographs.get(key) ?? (large?.key === key ? large.rows : undefined)
  if (photograph) {
    rows.set(photograph)
    return
  }
  const drawn = draw(scene, widthPx, heightPx)
  rows.set(drawn.rows)
  if (rows.length > photographBytesMax) large = { key, rows: drawn.rows }
  else {
    keep(key, rows)
    release(drawn.rows)
  }
}

function paintDrawing(scene: Scene, canvas: PixelCanvas, colorsMax?: number): void {
  const { widthPx, heightPx } = canvas
  const key = `${keyOf(scene, widthPx)} ${colorsMax}`
  const cached = packedCache.get(key)
  if (cached) {
    const { colors } = cached
    const rows = colors ? canvas.numbers : canvas.rows
    restoreRows(rows, rowBytes(widthPx, colors ? 1 : 3), unpacked(cached.pieces))
    if (colors) canvas.startBackdrop(colors)
    return
  }
  const drawn = draw(scene, widthPx, heightPx)
  const indexed = colorsMax === undefined ? undefined : indexBackground(drawn, colorsMax)
  const rows = indexed ? canvas.numbers : canvas.rows
  rows.set(indexed?.rows ?? drawn.rows)
  release(drawn.rows)
  packedCache.set(key, {
    pieces: pack(rows, rowBytes(widthPx, indexed ? 1 : 3)),
    colors: indexed?.colors,
  })
  if (indexed) canvas.startBackdrop(indexed.colors)
}

/** Paints the one colour of the scene's background, where the background itself cannot be drawn. */
export function paintPlainBackground({ background }: Scene, { rows, widthPx }: Bitmap): void {
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

function draw({ background, widthPx, heightPx }: Scene, toWidthPx: number, toHeightPx: number): Bitmap {
  const size = `width="${toWidthPx}" height="${toHeightPx}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  return drawSvgOver(`${head}${backgroundSvg(background)}</svg>`, background.color)
}
