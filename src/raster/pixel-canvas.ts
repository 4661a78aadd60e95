import { Buffer } from 'node:buffer'
import { parseHex } from '../lib/color.ts'
import { type PathSink, readPath } from '../svg/read-path.ts'
import { type Bitmap, type PixelSize, rowBytes } from './bitmap.ts'
import { painterWasm } from './painter/painter.generated.ts'

/** A background by numbers of its colours, below what is painted. Other pixels of a bitmap with one are arbitrary. */
export interface Backdrop {
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

export type PixelCanvas = ReturnType<typeof startCanvas>

/** A bitmap in the painter's memory, valid until the next one or an encoding. Its rows move: ask for them after each path. */
export function startCanvas(widthPx: number, heightPx: number, channels: 3 | 4 = 3) {
  painter().startCanvas(widthPx, heightPx, channels)
  const [rowsAt, colorsAt] = [painter().rowsAt(), painter().colorsAt()]
  let backdrop: Backdrop | undefined
  return {
    widthPx,
    heightPx,
    channels,
    get rows(): Uint8Array<ArrayBuffer> {
      return painterBytes(rowsAt, rowBytes(widthPx, channels) * heightPx)
    },
    /** Rows for the numbers of a backdrop: one byte a pixel behind the filter byte. */
    get numbers(): Uint8Array<ArrayBuffer> {
      return numbersOf({ widthPx, heightPx })
    },
    get backdrop(): Backdrop | undefined {
      return backdrop
    },
    /** Room for an opaque picture of four bytes a pixel, in the place of the rows and the numbers. */
    get rgba(): Uint8Array<ArrayBuffer> {
      return painterBytes(rowsAt, widthPx * heightPx * 4)
    },
    packRgba: painter().packRgba,
    /** Makes a backdrop of the numbers, of colours 0xAARRGGBB. */
    startBackdrop(colors: Int32Array): void {
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
    /** Lets rows of the picture that was numbered, all of it, follow the rows above them in the backdrop's gradients. */
    joinPairsOfRows: painter().joinPairsOfRows,
  }
}

/** Puts a bitmap into the painter's memory, in the place of the canvas, where it is not there already. */
export function bringIn({ widthPx, heightPx, channels, rows }: Bitmap): void {
  if (rows.buffer !== painter().memory.buffer) startCanvas(widthPx, heightPx, channels).rows.set(rows)
}

/** All colours of the canvas, or with a backdrop those of its uncovered pixels. Undefined when there are more than 4096. */
export function countColors(hasBackdrop: boolean): ColorCounts | undefined {
  if (!hasBackdrop) painter().coverAll()
  const count = painter().countUncovered()
  if (count < 0) return undefined
  return {
    values: painterWords(painter().valuesAt(), count).slice(),
    counts: painterWords(painter().countsAt(), count).slice(),
  }
}

export function numberColors(bitmap: Bitmap, numberOf: Uint8Array): Uint8Array<ArrayBuffer> {
  const at = painter().takeInput(numberOf.length)
  painterBytes(at, numberOf.length).set(numberOf)
  painter().numberUncovered(at)
  return numbersOf(bitmap)
}

export function numbersOf({ widthPx, heightPx }: PixelSize): Uint8Array<ArrayBuffer> {
  return painterBytes(painter().numbersAt(), rowBytes(widthPx, 1) * heightPx)
}

export function painterBytes(at: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(painter().memory.buffer, at, length)
}

function painterWords(at: number, length: number): Int32Array<ArrayBuffer> {
  return new Int32Array(painter().memory.buffer, at, length)
}

/**
 * Fills the SVG path `d` (non-zero winding, antialiased) into the latest canvas, in `#rrggbb`, which passes into `foot` at the
 * lower edge of the path. Its numbers become pixels like this: px · scaleX + x, py · scaleY + y.
 * @throws RangeError when `d` or a colour cannot be read.
 */
export function fillPath(
  d: string,
  { x, y, scaleX, scaleY }: Readonly<Record<'x' | 'y' | 'scaleX' | 'scaleY', number>>,
  fill: string,
  opacity = 1,
  foot?: string,
): void {
  const color = numberOf(fill)
  const colorAtFoot = foot === undefined ? color : numberOf(foot)
  numbers = []
  readPath(d, outline)
  const at = painter().takeInput(numbers.length * Float64Array.BYTES_PER_ELEMENT)
  new Float64Array(painter().memory.buffer, at, numbers.length).set(numbers)
  painter().placeOutline(x, y, scaleX, scaleY)
  painter().addOutline(at, numbers.length)
  painter().fillEdges(color, colorAtFoot, opacity)
}

function numberOf(hex: string): number {
  const color = parseHex(hex)
  if (color === undefined) throw new RangeError(`${hex} is not a colour`)
  return (color.r << 16) | (color.g << 8) | color.b
}

/** The parts of an outline, each a number of points (-1 closes it) and their coordinates. */
let numbers: number[] = []

const outline: PathSink = {
  moveTo: (x, y) => void numbers.push(0, x, y),
  lineTo: (x, y) => void numbers.push(1, x, y),
  quadraticTo: (cx, cy, x, y) => void numbers.push(2, cx, cy, x, y),
  cubicTo: (ax, ay, bx, by, x, y) => void numbers.push(3, ax, ay, bx, by, x, y),
  close: () => void numbers.push(-1),
}

type PainterFunction =
  | ('startCanvas' | 'packRgba' | 'joinPairsOfRows' | 'startBackdrop' | 'endBackdrop' | 'uncover')
  | ('coverAll' | 'takeInput' | 'placeOutline' | 'addOutline' | 'fillEdges' | 'countUncovered')
  | ('numberUncovered' | 'filterRows' | 'writeWebp' | 'webpAt' | 'rowsAt' | 'numbersAt' | 'colorsAt')
  | ('valuesAt' | 'countsAt')

/** Addresses are plain numbers. `assembly` says what each function takes and does. */
type Painter = Readonly<Record<PainterFunction, (...numbers: number[]) => number>> & {
  readonly memory: WebAssembly.Memory
}

let loaded: Painter | undefined

/** WebAssembly runs almost at full speed from the first card on; JavaScript is interpreted and compiled three times over. */
export function painter(): Painter {
  if (loaded) return loaded
  const module = new WebAssembly.Module(Buffer.from(painterWasm, 'base64'))
  loaded = new WebAssembly.Instance(module).exports as unknown as Painter
  return loaded
}
