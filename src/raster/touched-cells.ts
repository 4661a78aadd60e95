/** The side of a cell in pixels: a block of a JPEG whose pixels share colours. */
export const cellPx = 16

/** Which cells of a bitmap something was painted over. The background of all others is as it was. */
export class TouchedCells {
  readonly columns: number
  /** 1 where a cell is touched, row by row. */
  readonly cells: Uint8Array

  constructor(widthPx: number, heightPx: number) {
    this.columns = Math.ceil(widthPx / cellPx)
    this.cells = new Uint8Array(this.columns * Math.ceil(heightPx / cellPx))
  }

  /** Marks the pixels of a row from column `from` to column `to`, which are in the bitmap. */
  mark(y: number, from: number, to: number): void {
    if (to <= from) return
    const row = Math.floor(y / cellPx) * this.columns
    this.cells.fill(1, row + Math.floor(from / cellPx), row + Math.ceil(to / cellPx))
  }
}
