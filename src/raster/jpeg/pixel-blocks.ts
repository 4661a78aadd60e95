import { type Bitmap, rowBytes } from '../bitmap.ts'

/** Cuts a bitmap into what a JPEG codes together: blocks of light, and one of each colour difference. */
export class PixelBlocks {
  /** 64 samples a block, around zero: light in rows, then blue, then red. */
  readonly samples: Float64Array
  readonly #rows: Uint8Array
  /** Where each row starts, and how far from there each column is. Beyond the last one its pixels are repeated. */
  readonly #rowAt: Uint32Array
  readonly #columnAt: Uint32Array
  readonly #perColor: 1 | 2

  /** @param perColor pixels that share one colour, in both directions */
  constructor({ rows, widthPx, heightPx }: Bitmap, perColor: 1 | 2) {
    const stride = rowBytes(widthPx, 3)
    this.samples = new Float64Array((perColor * perColor + 2) * 64)
    this.#rows = rows
    this.#rowAt = Uint32Array.from(
      { length: heightPx + 15 },
      (_, y) => Math.min(y, heightPx - 1) * stride + 1,
    )
    this.#columnAt = Uint32Array.from({ length: widthPx + 15 }, (_, x) => Math.min(x, widthPx - 1) * 3)
    this.#perColor = perColor
  }

  /** Fills `samples` with the pixels from (x, y) on. */
  load(x: number, y: number): void {
    if (this.#perColor === 1) this.#loadEach(x, y)
    else for (let row = 0; row < 8; row++) this.#loadPair(x, y + 2 * row, row)
  }

  #loadEach(x: number, y: number): void {
    const { samples } = this
    const rows = this.#rows
    for (let to = 0; to < 64; to++) {
      const at = (this.#rowAt[y + (to >> 3)] as number) + (this.#columnAt[x + (to & 7)] as number)
      const red = rows[at] as number
      const green = rows[at + 1] as number
      const blue = rows[at + 2] as number
      samples[to] = lightOf(red, green, blue)
      samples[64 + to] = blueOf(red, green, blue)
      samples[128 + to] = redOf(red, green, blue)
    }
  }

  /** Two rows of 16 pixels, of which four in a square have their mean colour. */
  #loadPair(x: number, y: number, row: number): void {
    const { samples } = this
    const rows = this.#rows
    const columnAt = this.#columnAt
    const upper = this.#rowAt[y] as number
    const lower = this.#rowAt[y + 1] as number
    const start = row < 4 ? row * 16 : 128 + (row - 4) * 16
    for (let column = 0; column < 8; column++) {
      const left = columnAt[x + 2 * column] as number
      const right = columnAt[x + 2 * column + 1] as number
      let to = column < 4 ? start + 2 * column : start + 64 + 2 * (column - 4)
      let red = 0
      let green = 0
      let blue = 0
      for (let pixel = 0; pixel < 4; pixel++) {
        const at = (pixel < 2 ? upper : lower) + (pixel & 1 ? right : left)
        const r = rows[at] as number
        const g = rows[at + 1] as number
        const b = rows[at + 2] as number
        samples[to] = lightOf(r, g, b)
        to += pixel === 1 ? 7 : 1
        red += r
        green += g
        blue += b
      }
      const color = 256 + row * 8 + column
      samples[color] = blueOf(red, green, blue) / 4
      samples[color + 64] = redOf(red, green, blue) / 4
    }
  }
}

function lightOf(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue - 128
}

function blueOf(red: number, green: number, blue: number): number {
  return 0.5 * blue - 0.168736 * red - 0.331264 * green
}

function redOf(red: number, green: number, blue: number): number {
  return 0.5 * red - 0.418688 * green - 0.081312 * blue
}
