import { Bounds, type Box } from '../svg/box.ts'
import type { EdgeList } from './edge-list.ts'

class Contour extends Bounds {
  /** Positive or negative by direction: shapes wind one way, their holes the other. */
  area = 0
}

/**
 * Where contours that wind the same way may overlap: the common parts of their boxes, by their left edges.
 * Generous (boxes cross where outlines need not), never too small, save for a contour that crosses itself.
 */
export function overlapBoxes(edges: EdgeList): readonly Box[] {
  const boxes: Box[] = []
  let open: Contour[] = []
  for (const contour of contours(edges).sort((a, b) => a.left - b.left)) {
    open = open.filter(({ right }) => right >= contour.left)
    for (const other of open) {
      const isApart = other.top > contour.bottom || other.bottom < contour.top
      if (isApart || other.area * contour.area < 0) continue
      boxes.push({
        left: contour.left,
        top: Math.max(other.top, contour.top),
        right: Math.min(other.right, contour.right),
        bottom: Math.min(other.bottom, contour.bottom),
      })
    }
    open.push(contour)
  }
  return boxes
}

function contours({ values, contourEnds }: EdgeList): Contour[] {
  let start = 0
  return contourEnds.map((end) => {
    const contour = new Contour()
    for (let at = start * 4; at < end * 4; at += 4) {
      const x0 = values[at] as number
      const y0 = values[at + 1] as number
      const x1 = values[at + 2] as number
      const y1 = values[at + 3] as number
      // A contour's edges join, but horizontal ones are left out: both ends count.
      contour.add(x0, y0)
      contour.add(x1, y1)
      contour.area += (x0 + x1) * (y1 - y0)
    }
    start = end
    return contour
  })
}
