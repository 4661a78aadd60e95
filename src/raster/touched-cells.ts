/** The side of a cell in pixels: a block of a JPEG whose pixels share colours. */
export const cellPx = 16

/** Which cells of a bitmap something was painted over. The background of all others is as it was. */
export class TouchedCells {
  readonly columns: number
  readonly #rows: number
  /** 1 where a cell is touched, row by row. */
  readonly cells: Uint8Array

  constructor(widthPx: number, heightPx: number) {
    this.columns = Math.ceil(widthPx / cellPx)
    this.#rows = Math.ceil(heightPx / cellPx)
    this.cells = new Uint8Array(this.columns * this.#rows)
  }

  /** Marks the pixels that a box covers, also in part, and those beside them. It may reach beyond the bitmap, or be empty. */
  markBox(left: number, top: number, right: number, bottom: number): void {
    const from = Math.max(0, Math.floor((left - 1) / cellPx))
    const to = Math.min(this.columns, Math.ceil((right + 1) / cellPx))
    const last = Math.min(this.#rows, Math.ceil((bottom + 1) / cellPx))
    if (to <= from) return
    for (let row = Math.max(0, Math.floor((top - 1) / cellPx)); row < last; row++)
      this.cells.fill(1, row * this.columns + from, row * this.columns + to)
  }

  /** Marks the pixels of a row from column `from` to column `to`, which are in the bitmap. */
  mark(y: number, from: number, to: number): void {
    if (to <= from) return
    const row = Math.floor(y / cellPx) * this.columns
    this.cells.fill(1, row + Math.floor(from / cellPx), row + Math.ceil(to / cellPx))
  }
}
