import { Bounds } from '../svg/box.ts'

/** Straight edges in pixels, four numbers each: x0, y0, x1, y1 in drawing order. No edge is horizontal. */
export class EdgeList {
  values = new Float64Array(4096)
  count = 0
  /** Where each contour's edges end, as edge numbers. */
  readonly contourEnds: number[] = []
  ink = new Bounds()

  clear(): void {
    this.count = 0
    this.contourEnds.length = 0
    this.ink = new Bounds()
  }

  add(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return
    let at = this.count * 4
    if (at === this.values.length) {
      const grown = new Float64Array(at * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.count++
    this.values[at++] = x0
    this.values[at++] = y0
    this.values[at++] = x1
    this.values[at] = y1
    this.ink.add(x0, y0)
    this.ink.add(x1, y1)
  }

  endContour(): void {
    if (this.count > (this.contourEnds.at(-1) ?? 0)) this.contourEnds.push(this.count)
  }
}
