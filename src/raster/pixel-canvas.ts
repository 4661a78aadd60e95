import { type Bitmap, rowBytes } from './bitmap.ts'
import { painter } from './painter/painter.ts'

/** A background by numbers of its colours, below what is painted. Other pixels of a bitmap with one are arbitrary. */
export interface Backdrop {
  /** 0xAARRGGBB, signed, at most 255 of them. */
  readonly colors: Int32Array
  /** Writes the background's pixels from column `from` to column `to` into the bitmap, where it has none yet. */
  uncover(y: number, from: number, to: number): void
  /** Makes the bitmap's rows of the background and of what is painted over it, and ends: the bitmap then has no backdrop. */
  end(): void
}

/** A bitmap that may have a backdrop. Its rows then have only those pixels of the background that are uncovered. */
export interface BackedBitmap extends Bitmap {
  readonly backdrop?: Backdrop | undefined
}

/** Colours (0xAARRGGBB, signed) and how many pixels have each. */
export interface ColorCounts {
  readonly values: Int32Array
  readonly counts: Int32Array
}

/** A bitmap in the painter's memory, which paths are filled into. Its rows move: ask for them anew after each path. */
export interface PixelCanvas extends BackedBitmap {
  /** Rows for the numbers of a backdrop: one byte a pixel behind the filter byte. */
  readonly numbers: Uint8Array<ArrayBuffer>
  /** Room for an opaque picture of four bytes a pixel, in the place of the rows and the numbers. */
  readonly rgba: Uint8Array<ArrayBuffer>
  /** Makes the rows of the picture in `rgba`. */
  packRgba(): void
  /** Makes a backdrop of the numbers, of colours 0xAARRGGBB. */
  startBackdrop(colors: Int32Array): void
  /** Lets rows of the picture that was numbered, all of it, follow the rows above them in the backdrop's gradients. */
  joinPairsOfRows(): void
}

/**
 * A canvas of arbitrary content, which is valid until the next one, or until another bitmap is encoded. Paths are filled into
 * opaque ones only.
 */
export function startCanvas(widthPx: number, heightPx: number, channels: 3 | 4 = 3): PixelCanvas {
  painter().startCanvas(widthPx, heightPx, channels)
  const [rowsAt, colorsAt] = [painter().rowsAt(), painter().colorsAt()]
  let backdrop: Backdrop | undefined
  return {
    widthPx,
    heightPx,
    channels,
    get rows() {
      return painterBytes(rowsAt, rowBytes(widthPx, channels) * heightPx)
    },
    get numbers() {
      return numbersOf({ widthPx, heightPx })
    },
    get backdrop() {
      return backdrop
    },
    get rgba() {
      return painterBytes(rowsAt, widthPx * heightPx * 4)
    },
    packRgba: painter().packRgba,
    startBackdrop(colors) {
      painterWords(colorsAt, colors.length).set(colors)
      painter().startBackdrop()
      backdrop = {
        colors,
        uncover: painter().uncover,
        end() {
          painter().endBackdrop()
          backdrop = undefined
        },
      }
    },
    joinPairsOfRows: painter().joinPairsOfRows,
  }
}

/** Puts a bitmap into the painter's memory, in the place of the canvas, where it is not there already. */
export function bringIn({ widthPx, heightPx, channels, rows }: Bitmap): void {
  if (rows.buffer !== painter().memory.buffer) startCanvas(widthPx, heightPx, channels).rows.set(rows)
}

/**
 * The colours of the canvas: all of them, or of one with a backdrop those of its uncovered pixels. Undefined when there are
 * more than 4096.
 */
export function countColors(hasBackdrop: boolean): ColorCounts | undefined {
  if (!hasBackdrop) painter().coverAll()
  const count = painter().countUncovered()
  if (count < 0) return undefined
  return {
    values: painterWords(painter().valuesAt(), count).slice(),
    counts: painterWords(painter().countsAt(), count).slice(),
  }
}

/** One byte a pixel behind the filter byte of each row: pixels that were counted get the number of their colour's place in the count. */
export function numberColors(bitmap: Bitmap, numberOf: Uint8Array): Uint8Array<ArrayBuffer> {
  const at = painter().takeInput(numberOf.length)
  painterBytes(at, numberOf.length).set(numberOf)
  painter().numberUncovered(at)
  return numbersOf(bitmap)
}

/** The canvas's rows of one byte a pixel behind the filter byte. */
export function numbersOf({
  widthPx,
  heightPx,
}: Pick<Bitmap, 'widthPx' | 'heightPx'>): Uint8Array<ArrayBuffer> {
  return painterBytes(painter().numbersAt(), rowBytes(widthPx, 1) * heightPx)
}

export function painterBytes(at: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(painter().memory.buffer, at, length)
}

function painterWords(at: number, length: number): Int32Array<ArrayBuffer> {
  return new Int32Array(painter().memory.buffer, at, length)
}
