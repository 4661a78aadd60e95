import { type Edge, edgesOf, fillDifference } from './fill-coverage.ts'
import { type Contour, type Outline, reverseContour } from './outline.ts'

/** Beyond this the depth of each contour in all others is too much work. */
const pairsMax = 2_000_000

/**
 * An outline whose non-zero fill is the even-odd fill of the given one: contours turn the other way at every second
 * depth. Undefined where contours cross each other or themselves, so that turning them is not enough.
 */
export function toNonZero(outline: Outline): Outline | undefined {
  const edges = edgesOf(outline)
  const original = { edges, rule: 'evenodd' } as const
  if (fillDifference({ edges, rule: 'nonzero' }, original) === 0) return outline
  if (edges.length * outline.length > pairsMax) return undefined
  const each = outline.map((contour) => ({ contour, edges: edgesOf([contour]) }))
  const turned = each.map(({ contour, edges: own }): Contour => {
    const depth = each.filter((other) => other.contour !== contour && contains(other.edges, own)).length
    const isClockwise = areaOf(own) > 0
    return isClockwise === (depth % 2 === 0) ? contour : reverseContour(contour)
  })
  const difference = fillDifference({ edges: edgesOf(turned), rule: 'nonzero' }, original)
  return difference !== undefined && difference < 1e-9 ? turned : undefined
}

/** Whether a contour that does not cross the other one is inside of it: one of its points is. */
function contains(outer: readonly Edge[], inner: readonly Edge[]): boolean {
  const [edge] = inner
  if (edge === undefined) return false
  // Not an end, which contours that touch may share.
  const [x, y] = [0.37 * edge.from.x + 0.63 * edge.to.x, 0.37 * edge.from.y + 0.63 * edge.to.y]
  let isInside = false
  for (const { from, to } of outer) {
    const isAbove = from.y > y
    if (isAbove !== to.y > y && x < from.x + ((y - from.y) * (to.x - from.x)) / (to.y - from.y))
      isInside = !isInside
  }
  return isInside
}

/** Twice the signed area. */
function areaOf(edges: readonly Edge[]): number {
  return edges.reduce((sum, { from, to }) => sum + from.x * to.y - to.x * from.y, 0)
}
