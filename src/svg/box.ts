/** Edges of a rectangle, y down. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The box around all points that were added; its edges are infinite, and in the wrong order, before the first. */
export class Bounds implements Box {
  left = Infinity
  top = Infinity
  right = -Infinity
  bottom = -Infinity

  add(x: number, y: number): void {
    if (x < this.left) this.left = x
    if (x > this.right) this.right = x
    if (y < this.top) this.top = y
    if (y > this.bottom) this.bottom = y
  }

  /** Adds a box that was moved by (x, y). */
  addBox({ left, top, right, bottom }: Box, x = 0, y = 0): void {
    if (x + left < this.left) this.left = x + left
    if (x + right > this.right) this.right = x + right
    if (y + top < this.top) this.top = y + top
    if (y + bottom > this.bottom) this.bottom = y + bottom
  }
}
