/** Receives an outline segment by segment, in absolute coordinates. `close` leaves the pen at the start of the subpath. */
export interface PathSink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  quadraticTo(cx: number, cy: number, x: number, y: number): void
  cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void
  close(): void
}

/** Passes an outline on to another sink with its coordinates changed. */
export function mappedSink(
  sink: PathSink,
  toX: (x: number) => number,
  toY: (y: number) => number = toX,
): PathSink {
  return {
    moveTo: (x, y) => sink.moveTo(toX(x), toY(y)),
    lineTo: (x, y) => sink.lineTo(toX(x), toY(y)),
    quadraticTo: (cx, cy, x, y) => sink.quadraticTo(toX(cx), toY(cy), toX(x), toY(y)),
    cubicTo: (ax, ay, bx, by, x, y) => sink.cubicTo(toX(ax), toY(ay), toX(bx), toY(by), toX(x), toY(y)),
    close: () => sink.close(),
  }
}
