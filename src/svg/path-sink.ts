/** Receives an outline segment by segment, in absolute coordinates. `close` leaves the pen at the start of the subpath. */
export interface PathSink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  quadraticTo(cx: number, cy: number, x: number, y: number): void
  cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void
  close(): void
}
