import type { Pixels } from './pixels.ts'

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
