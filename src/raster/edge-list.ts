/** Straight edges in pixels, four numbers each: x0, y0, x1, y1 in drawing order. No edge is horizontal. */
export class EdgeList {
  values = new Float64Array(4096)
  count = 0
  /** Where each contour's edges end, as edge numbers. */
  readonly contourEnds: number[] = []
  /** Ink box. */
  left = Infinity
  top = Infinity
  right = -Infinity
  bottom = -Infinity

  clear(): void {
    this.count = 0
    this.contourEnds.length = 0
    this.left = this.top = Infinity
    this.right = this.bottom = -Infinity
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
    if (x0 < this.left) this.left = x0
    if (x1 < this.left) this.left = x1
    if (x0 > this.right) this.right = x0
    if (x1 > this.right) this.right = x1
    if (y0 < this.top) this.top = y0
    if (y1 < this.top) this.top = y1
    if (y0 > this.bottom) this.bottom = y0
    if (y1 > this.bottom) this.bottom = y1
  }

  endContour(): void {
    if (this.count > (this.contourEnds.at(-1) ?? 0)) this.contourEnds.push(this.count)
  }
}
