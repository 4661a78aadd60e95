/** Premultiplied RGBA, row by row. */
export interface Pixels {
  readonly widthPx: number
  readonly heightPx: number
  readonly rgba: Uint8Array
}

interface PixelBox {
  readonly left: number
  readonly top: number
  readonly widthPx: number
  readonly heightPx: number
}

/** The smallest box around what can be seen; undefined where nothing can. */
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

/**
 * A part of a picture, made smaller until no side is longer than `sidePxMax`: each pixel is the mean of those that it
 * covers.
 */
export function shrink({ widthPx: stride, rgba }: Pixels, box: PixelBox, sidePxMax: number): Pixels {
  const scale = Math.min(1, sidePxMax / Math.max(box.widthPx, box.heightPx))
  const widthPx = Math.max(1, Math.round(box.widthPx * scale))
  const heightPx = Math.max(1, Math.round(box.heightPx * scale))
  const columns = sharesOf(box.widthPx, widthPx)
  const lines = sharesOf(box.heightPx, heightPx)
  const out = new Uint8Array(widthPx * heightPx * 4)
  const row = new Float32Array(widthPx * 4)
  let sums = new Float32Array(widthPx * 4)
  let nextSums = new Float32Array(widthPx * 4)
  let line = 0
  for (let y = 0; y < box.heightPx; y++) {
    row.fill(0)
    addRow(row, rgba, ((box.top + y) * stride + box.left) * 4, columns)
    if ((lines.place[y] as number) > line) {
      writeLine(sums, out, line * widthPx * 4)
      ;[sums, nextSums] = [nextSums, sums]
      nextSums.fill(0)
      line += 1
    }
    addTimes(sums, row, lines.here[y] as number)
    if ((lines.beyond[y] as number) > 0) addTimes(nextSums, row, lines.beyond[y] as number)
  }
  writeLine(sums, out, line * widthPx * 4)
  return { widthPx, heightPx, rgba: out }
}

/** For each of `from` pixels: in which of `to` it lies, with which share of that one, and with which of the next. */
function sharesOf(from: number, to: number) {
  const place = new Uint16Array(from)
  const here = new Float32Array(from)
  const beyond = new Float32Array(from)
  for (let index = 0; index < from; index++) {
    const start = (index * to) / from
    const end = ((index + 1) * to) / from
    const at = Math.min(to - 1, Math.floor(start))
    place[index] = at
    here[index] = Math.min(end, at + 1) - start
    beyond[index] = at + 1 < to ? Math.max(0, end - at - 1) : 0
  }
  return { place, here, beyond }
}

function addRow(
  row: Float32Array,
  rgba: Uint8Array,
  start: number,
  columns: ReturnType<typeof sharesOf>,
): void {
  const { place, here, beyond } = columns
  for (let x = 0, from = start; x < place.length; x++, from += 4) {
    const to = (place[x] as number) * 4
    const share = here[x] as number
    for (let channel = 0; channel < 4; channel++)
      row[to + channel] = (row[to + channel] as number) + share * (rgba[from + channel] as number)
    const rest = beyond[x] as number
    if (rest === 0) continue
    for (let channel = 0; channel < 4; channel++)
      row[to + 4 + channel] = (row[to + 4 + channel] as number) + rest * (rgba[from + channel] as number)
  }
}

function addTimes(sums: Float32Array, row: Float32Array, share: number): void {
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + share * (row[at] as number)
}

function writeLine(sums: Float32Array, out: Uint8Array, start: number): void {
  for (let at = 0; at < sums.length; at++) out[start + at] = (sums[at] as number) + 0.5
}

/** A picture as it is to be seen, by the orientation that Exif gives it. */
export function turnUpright({ widthPx, heightPx, rgba }: Pixels, orientation: number): Pixels {
  const isTransposed = orientation > 4
  const [toWidth, toHeight] = isTransposed ? [heightPx, widthPx] : [widthPx, heightPx]
  const isMirrored = [2, 3, 7, 8].includes(orientation)
  const isUpsideDown = [3, 4, 6, 7].includes(orientation)
  const from = new Uint32Array(rgba.slice().buffer)
  const to = new Uint32Array(from.length)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const [u, v] = isTransposed ? [y, x] : [x, y]
      const column = (isTransposed ? isUpsideDown : isMirrored) ? toWidth - 1 - u : u
      const line = (isTransposed ? isMirrored : isUpsideDown) ? toHeight - 1 - v : v
      to[line * toWidth + column] = from[y * widthPx + x] as number
    }
  }
  return { widthPx: toWidth, heightPx: toHeight, rgba: new Uint8Array(to.buffer) }
}
