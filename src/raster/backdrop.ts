import { type Bitmap, rowBytes } from './bitmap.ts'
import { createScratch } from './scratch.ts'
import type { TouchedCells } from './touched-cells.ts'

/** The number in the rows of a pixel that something has been painted over. */
const painted = 255

/** A background by numbers of its colours, as it is kept. */
export interface IndexedBackground {
  /** 0xAARRGGBB, signed. */
  readonly colors: Int32Array
  /** One byte a pixel behind the filter byte of each row. */
  readonly rows: Uint8Array<ArrayBuffer>
}

const placesScratch = createScratch()

/**
 * The background below a bitmap that becomes a palette: the bitmap has its pixels only where they are uncovered, to be
 * painted over. All others need no counting. One at a time.
 */
export class Backdrop {
  readonly colors: Int32Array
  readonly rows: Uint8Array<ArrayBuffer>
  readonly #widthPx: number
  readonly #places: Uint32Array
  #count = 0

  constructor({ colors, rows }: IndexedBackground, widthPx: number) {
    this.colors = colors
    this.rows = rows
    this.#widthPx = widthPx
    this.#places = new Uint32Array(placesScratch(rows.length * 4).buffer)
  }

  /** Where pixels have been uncovered, by their place in the rows. */
  get uncovered(): Uint32Array {
    return this.#places.subarray(0, this.#count)
  }

  /** Writes the background's pixels from column `from` to column `to` into a row of the bitmap, where it has none yet. */
  uncover(bitmapRows: Uint8Array, y: number, from: number, to: number): void {
    const { colors, rows } = this
    const places = this.#places
    const start = y * rowBytes(this.#widthPx, 1) + 1
    let count = this.#count
    for (
      let at = start + from, pixel = y * rowBytes(this.#widthPx, 3) + 1 + from * 3;
      at < start + to;
      at++, pixel += 3
    ) {
      const index = rows[at] as number
      if (index === painted) continue
      const color = colors[index] as number
      bitmapRows[pixel] = color >>> 16
      bitmapRows[pixel + 1] = color >>> 8
      bitmapRows[pixel + 2] = color
      rows[at] = painted
      places[count++] = at
    }
    this.#count = count
  }
}

/** A bitmap that may have a backdrop. Its rows then have only those pixels of the background that are uncovered. */
export interface BackedBitmap extends Bitmap {
  readonly backdrop?: Backdrop | undefined
  /** Present where the background may be encoded once for many cards. */
  readonly behind?: Behind | undefined
}

/** A background whose pixels are all there, and what was painted over it. */
export interface Behind {
  /** Equal keys mean equal backgrounds at one width. */
  readonly key: string
  readonly touched: TouchedCells
}

/** Completes a bitmap whose background is needed as pixels after all. */
export function uncoverAll({ widthPx, heightPx, rows, backdrop }: BackedBitmap): void {
  if (backdrop) for (let y = 0; y < heightPx; y++) backdrop.uncover(rows, y, 0, widthPx)
}
