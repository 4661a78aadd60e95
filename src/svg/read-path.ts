import { type Arc, arcToCubics } from './arc.ts'
import { PathScanner } from './path-scanner.ts'
import type { PathSink } from './path-sink.ts'

/**
 * Reads SVG path data (every command, absolute and relative) into a sink. Relative coordinates, smooth curves and arcs
 * are resolved: the sink sees absolute lines and Bézier curves only.
 * @throws RangeError when `d` is not path data.
 */
export function readPath(d: string, sink: PathSink): void {
  const scanner = new PathScanner(d)
  let [x, y, startX, startY, controlX, controlY] = [0, 0, 0, 0, 0, 0]
  let previous = ''
  for (let command = scanner.nextCommand(''); command !== ''; command = scanner.nextCommand(command)) {
    const kind = command.toUpperCase()
    const baseX = command === kind ? 0 : x
    const baseY = command === kind ? 0 : y
    if (!hasControl(kind, previous)) {
      controlX = x
      controlY = y
    }
    switch (kind) {
      case 'M':
        x = startX = baseX + scanner.next()
        y = startY = baseY + scanner.next()
        sink.moveTo(x, y)
        break
      case 'L':
      case 'H':
      case 'V':
        if (kind !== 'V') x = baseX + scanner.next()
        if (kind !== 'H') y = baseY + scanner.next()
        sink.lineTo(x, y)
        break
      case 'Q':
      case 'T':
        controlX = kind === 'T' ? 2 * x - controlX : baseX + scanner.next()
        controlY = kind === 'T' ? 2 * y - controlY : baseY + scanner.next()
        x = baseX + scanner.next()
        y = baseY + scanner.next()
        sink.quadraticTo(controlX, controlY, x, y)
        break
      case 'C':
      case 'S': {
        const firstX = kind === 'S' ? 2 * x - controlX : baseX + scanner.next()
        const firstY = kind === 'S' ? 2 * y - controlY : baseY + scanner.next()
        controlX = baseX + scanner.next()
        controlY = baseY + scanner.next()
        x = baseX + scanner.next()
        y = baseY + scanner.next()
        sink.cubicTo(firstX, firstY, controlX, controlY, x, y)
        break
      }
      case 'A': {
        const arc = readArc(scanner, x, y, baseX, baseY)
        x = arc.toX
        y = arc.toY
        arcToCubics(arc, sink)
        break
      }
      case 'Z':
        x = startX
        y = startY
        sink.close()
    }
    previous = kind
  }
}

/** Whether a smooth curve mirrors the last control point: only behind a curve of its own degree. */
function hasControl(kind: string, previous: string): boolean {
  if (kind === 'T') return previous === 'Q' || previous === 'T'
  return kind === 'S' && (previous === 'C' || previous === 'S')
}

function readArc(scanner: PathScanner, fromX: number, fromY: number, baseX: number, baseY: number): Arc {
  return {
    fromX,
    fromY,
    radiusX: scanner.next(),
    radiusY: scanner.next(),
    rotation: scanner.next(),
    isLarge: scanner.flag(),
    isSweep: scanner.flag(),
    toX: baseX + scanner.next(),
    toY: baseY + scanner.next(),
  }
}
