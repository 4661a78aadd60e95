/**
 * Pixels in the very layout that a PNG compresses: each row is a filter byte (0, "None") and then
 * its channels, 3 for an opaque picture, 4 with straight (not premultiplied) alpha. Painting in this
 * layout saves a copy of the whole picture for each PNG.
 */
export interface Bitmap {
  readonly widthPx: number
  readonly heightPx: number
  readonly channels: 3 | 4
  readonly rows: Uint8Array<ArrayBuffer>
}

export function rowBytes(widthPx: number, channels: number): number {
  return 1 + widthPx * channels
}

/** Turns resvg's premultiplied RGBA into a bitmap, opaque (3 channels) when every pixel is. */
export function bitmapFromPremultiplied(rgba: Uint8Array, widthPx: number, heightPx: number): Bitmap {
  if (isOpaque(rgba)) return bitmapFromOpaque(rgba, widthPx, heightPx)
  const channels = 4
  const rows = new Uint8Array(rowBytes(widthPx, channels) * heightPx)
  let to = 0
  let from = 0
  for (let y = 0; y < heightPx; y++) {
    to++
    for (let x = 0; x < widthPx; x++, from += 4, to += channels) {
      const alpha = rgba[from + 3] ?? 0
      rows[to] = straight(rgba[from] ?? 0, alpha)
      rows[to + 1] = straight(rgba[from + 1] ?? 0, alpha)
      rows[to + 2] = straight(rgba[from + 2] ?? 0, alpha)
      rows[to + 3] = alpha
    }
  }
  return { widthPx, heightPx, channels, rows }
}

function bitmapFromOpaque(rgba: Uint8Array, widthPx: number, heightPx: number): Bitmap {
  const rows = new Uint8Array(rowBytes(widthPx, 3) * heightPx)
  let to = 0
  let from = 0
  for (let y = 0; y < heightPx; y++) {
    to++
    for (let x = 0; x < widthPx; x++, from += 4, to += 3) {
      rows[to] = rgba[from] ?? 0
      rows[to + 1] = rgba[from + 1] ?? 0
      rows[to + 2] = rgba[from + 2] ?? 0
    }
  }
  return { widthPx, heightPx, channels: 3, rows }
}

function straight(value: number, alpha: number): number {
  return alpha === 255 || alpha === 0 ? value : Math.min(255, Math.round((value * 255) / alpha))
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false
  return true
}
