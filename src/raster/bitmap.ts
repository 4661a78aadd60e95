/**
 * Pixels as a PNG compresses them: each row is a filter byte (0) and then its channels, 3 for an opaque picture, 4 with straight
 * (not premultiplied) alpha. Painting in this layout saves a copy of the whole picture for each PNG.
 */
export interface Bitmap extends PixelSize {
  readonly channels: 3 | 4
  readonly rows: Uint8Array<ArrayBuffer>
}

export function rowBytes(widthPx: number, channels: number): number {
  return 1 + widthPx * channels
}

/** Turns premultiplied RGBA, as resvg makes it, into a bitmap, opaque (3 channels) when every pixel is. */
export function bitmapOf({ widthPx, heightPx, rgba }: Pixels): Bitmap {
  const channels = isOpaque(rgba) ? 3 : 4
  const rows = new Uint8Array(rowBytes(widthPx, channels) * heightPx)
  for (let y = 0, from = 0, to = 0; y < heightPx; y++) {
    to++
    for (let x = 0; x < widthPx; x++, from += 4, to += channels) {
      const alpha = rgba[from + 3] as number
      rows[to] = straight(rgba[from] as number, alpha)
      rows[to + 1] = straight(rgba[from + 1] as number, alpha)
      rows[to + 2] = straight(rgba[from + 2] as number, alpha)
      if (channels === 4) rows[to + 3] = alpha
    }
  }
  return { widthPx, heightPx, channels, rows }
}

function straight(value: number, alpha: number): number {
  return alpha === 255 || alpha === 0 ? value : Math.min(255, Math.round((value * 255) / alpha))
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false
  return true
}

export interface PixelSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** Premultiplied RGBA, row by row. */
export interface Pixels extends PixelSize {
  readonly rgba: Uint8Array
}

interface PixelBox extends PixelSize {
  readonly left: number
  readonly top: number
}

export function visibleBox({ widthPx, heightPx, rgba }: Pixels): PixelBox | undefined {
  let [left, right, top, bottom] = [widthPx, -1, heightPx, -1]
  for (let y = 0, at = 3; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, at += 4) {
      if (rgba[at] === 0) continue
      if (x < left) left = x
      if (x > right) right = x
      if (top > y) top = y
      bottom = y
    }
  }
  return right < 0 ? undefined : { left, top, widthPx: right - left + 1, heightPx: bottom - top + 1 }
}

/** Each pixel is the mean of those it covers. */
export function areaAverage(
  pixels: Pixels,
  { widthPx, heightPx }: PixelSize,
  box: PixelBox = { left: 0, top: 0, widthPx: pixels.widthPx, heightPx: pixels.heightPx },
): Pixels {
  const isWhole = box.widthPx === pixels.widthPx && box.heightPx === pixels.heightPx
  if (isWhole && pixels.widthPx === widthPx && pixels.heightPx === heightPx) return pixels
  const out = new Uint8Array(widthPx * heightPx * 4)
  const row = new Float32Array(widthPx * 4)
  const sums = new Float32Array(widthPx * 4)
  const columns = spansOf(box.widthPx, widthPx)
  const lines = spansOf(box.heightPx, heightPx)
  const scale = (widthPx * heightPx) / (box.widthPx * box.heightPx)
  let rowAt = -1
  for (let y = 0; y < heightPx; y++) {
    const span = lines[y]
    if (span === undefined) break
    sums.fill(0)
    for (let from = span.first; from <= span.last; from++) {
      // A row on the border of two lines is used for both.
      if (from !== rowAt) sumRow(row, pixels, ((box.top + from) * pixels.widthPx + box.left) * 4, columns)
      rowAt = from
      addRow(sums, row, shareOf(span, from) * scale)
    }
    for (let at = 0, to = y * sums.length; at < sums.length; at++, to++) out[to] = (sums[at] as number) + 0.5
  }
  return { widthPx, heightPx, rgba: out }
}

export function fitSize({ widthPx, heightPx }: PixelSize, sidePxMax: number, pixelsMax = Infinity) {
  const sideScale = sidePxMax / Math.max(widthPx, heightPx)
  const scale = Math.min(1, sideScale, Math.sqrt(pixelsMax / (widthPx * heightPx)))
  const scaled = (px: number) => Math.max(1, Math.round(px * scale))
  return { widthPx: scaled(widthPx), heightPx: scaled(heightPx) }
}

type Span = ReturnType<typeof spansOf>[number]

/** Source pixels of a row under each target pixel: the first and the last, and the shares of these two. */
function spansOf(from: number, to: number) {
  return Array.from({ length: to }, (_, index) => {
    const start = (index * from) / to
    const end = ((index + 1) * from) / to
    const first = Math.floor(start)
    const last = Math.min(from, Math.ceil(end)) - 1
    const isOne = first === last
    return { first, last, firstShare: isOne ? end - start : first + 1 - start, lastShare: end - last }
  })
}

function shareOf({ first, last, firstShare, lastShare }: Span, at: number): number {
  if (at === first) return firstShare
  return at === last ? lastShare : 1
}

function sumRow(row: Float32Array, { rgba }: Pixels, start: number, columns: readonly Span[]): void {
  let to = 0
  for (const { first, last, firstShare, lastShare } of columns)
    for (let channel = start; channel < start + 4; channel++) {
      const end = channel + last * 4
      let sum = firstShare * (rgba[channel + first * 4] as number)
      for (let at = channel + first * 4 + 4; at < end; at += 4) sum += rgba[at] as number
      if (last > first) sum += lastShare * (rgba[end] as number)
      row[to++] = sum
    }
}

function addRow(sums: Float32Array, row: Float32Array, share: number): void {
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + share * (row[at] as number)
}

/** A picture as it is to be seen, by the orientation that Exif gives it. */
export function turnUpright(pixels: Pixels, orientation: number): Pixels {
  if (orientation === 1) return pixels
  const { widthPx, heightPx, rgba } = pixels
  const isTransposed = orientation > 4
  const toWidth = isTransposed ? heightPx : widthPx
  const toHeight = isTransposed ? widthPx : heightPx
  const isMirrored = [2, 3, 7, 8].includes(orientation)
  const isUpsideDown = [3, 4, 6, 7].includes(orientation)
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, widthPx * heightPx)
  const to = new Uint32Array(from.length)
  for (let y = 0, at = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++, at++) {
      const across = isMirrored ? widthPx - 1 - x : x
      const down = isUpsideDown ? heightPx - 1 - y : y
      to[isTransposed ? across * toWidth + down : down * toWidth + across] = from[at] as number
    }
  return { widthPx: toWidth, heightPx: toHeight, rgba: new Uint8Array(to.buffer) }
}

/** Bytes of no more than so many may lie in a buffer that others use too. */
const sharedBytesMax = 16 * 1024

/** Gives memory that nobody reads any more back at once: the collector goes by objects, which are few, and would leave some 20 MB. */
export function release({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > sharedBytesMax) buffer.transfer(0)
}
