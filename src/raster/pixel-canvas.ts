import type { Rgb } from '../lib/color.ts'
import type { Bitmap } from './bitmap.ts'
import { rowBytes } from './bitmap.ts'
import type { ColorCounts } from './count-colors.ts'
import { painter } from './painter/painter.ts'

/** A background by numbers of its colours, below what is painted. Other pixels of a bitmap with one are arbitrary. */
export interface Backdrop {
  /** 0xAARRGGBB, signed, at most 255 of them. */
  readonly colors: Int32Array
  /** Writes the background's pixels from column `from` to column `to` into the bitmap, where it has none yet. */
  uncover(y: number, from: number, to: number): void
  /** The colours of the uncovered pixels; undefined when there are more than 4096. */
  countUncovered(): ColorCounts | undefined
  /** One byte a pixel behind the filter byte of each row: uncovered pixels get the number of their colour's place in the latest count. */
  numberUncovered(numberOf: Uint8Array): Uint8Array<ArrayBuffer>
  /** Makes the bitmap's rows of the background and of what is painted over it, and ends: the bitmap then has no backdrop. */
  end(): void
}

/** A bitmap that may have a backdrop. Its rows then have only those pixels of the background that are uncovered. */
export interface BackedBitmap extends Bitmap {
  readonly backdrop?: Backdrop | undefined
}

/** An opaque bitmap in the painter's memory, which paths are filled into. Its rows move: ask for them anew after each path. */
export interface PixelCanvas extends BackedBitmap {
  /** Rows for the numbers of a backdrop: one byte a pixel behind the filter byte. */
  readonly numbers: Uint8Array<ArrayBuffer>
  /** Room for an opaque picture of four bytes a pixel, in the place of the rows and the numbers. */
  readonly rgba: Uint8Array<ArrayBuffer>
  /** Makes the rows of the picture in `rgba`. */
  packRgba(): void
  /** The colours of the picture in `rgba`; undefined when there are more than 4096. */
  countRgba(): ColorCounts | undefined
  /** Makes the numbers of the picture that was counted: each pixel gets the nearest of at most 255 colours, 0xAARRGGBB. */
  numberRgba(colors: Int32Array): void
  /** Lets rows of the picture that was numbered follow the rows above them in gradients. */
  joinPairsOfRows(): void
  /** Makes a backdrop of the numbers, of colours 0xAARRGGBB. */
  startBackdrop(colors: Int32Array): Backdrop
  /** Makes a backdrop of one colour. */
  startPlainBackdrop(color: Rgb): Backdrop
}

/** A canvas of arbitrary content, which is valid until the next one. */
export function startCanvas(widthPx: number, heightPx: number): PixelCanvas {
  painter().startCanvas(widthPx, heightPx)
  const [rowsAt, numbersAt, colorsAt] = [painter().rowsAt(), painter().numbersAt(), painter().colorsAt()]
  let backdrop: Backdrop | undefined
  function numbers(): Uint8Array<ArrayBuffer> {
    return painterBytes(numbersAt, rowBytes(widthPx, 1) * heightPx)
  }
  function startBackdrop(colors: Int32Array): Backdrop {
    painterWords(colorsAt, colors.length).set(colors)
    painter().startBackdrop()
    backdrop = {
      colors,
      uncover: painter().uncover,
      countUncovered,
      numberUncovered(numberOf) {
        const at = painter().takeInput(numberOf.length)
        painterBytes(at, numberOf.length).set(numberOf)
        painter().numberUncovered(at)
        return numbers()
      },
      end() {
        painter().endBackdrop()
        backdrop = undefined
      },
    }
    return backdrop
  }
  return {
    widthPx,
    heightPx,
    channels: 3,
    get rows() {
      return painterBytes(rowsAt, rowBytes(widthPx, 3) * heightPx)
    },
    get numbers() {
      return numbers()
    },
    get backdrop() {
      return backdrop
    },
    get rgba() {
      return painterBytes(rowsAt, widthPx * heightPx * 4)
    },
    packRgba: painter().packRgba,
    countRgba: () => countedColors(painter().countRgba()),
    numberRgba(colors) {
      painterWords(colorsAt, colors.length).set(colors)
      painter().numberRgba(colors.length)
    },
    joinPairsOfRows: painter().joinPairsOfRows,
    startBackdrop,
    startPlainBackdrop({ r, g, b }) {
      numbers().fill(0)
      return startBackdrop(Int32Array.of((255 << 24) | (r << 16) | (g << 8) | b))
    },
  }
}

function countUncovered(): ColorCounts | undefined {
  return countedColors(painter().countUncovered())
}

/** The colours that the painter has just counted; undefined when there were too many. */
function countedColors(count: number): ColorCounts | undefined {
  if (count < 0) return undefined
  return {
    values: painterWords(painter().valuesAt(), count).slice(),
    counts: painterWords(painter().countsAt(), count).slice(),
  }
}

function painterBytes(at: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(painter().memory.buffer, at, length)
}

function painterWords(at: number, length: number): Int32Array<ArrayBuffer> {
  return new Int32Array(painter().memory.buffer, at, length)
}
