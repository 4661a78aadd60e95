import type { SvgElement } from './svg-elements.ts'
import type { SvgLimits } from './svg-limits.ts'

const lengths = new Set(
  (
    'x y x1 y1 x2 y2 dx dy cx cy fx fy r rx ry width height d points viewBox transform gradientTransform ' +
    'stroke-width stroke-dasharray stroke-dashoffset stroke-miterlimit font-size letter-spacing word-spacing rotate'
  ).split(' '),
)
const outlines = new Set('x1 y1 x2 y2 r rx ry width height d points'.split(' '))
const numbers = /(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi
/** Bound for the length of a line as a multiple of the sum of its numbers: closing lines, curves and circles add to it. */
const lengthPerNumber = 8

/** The fault in the numbers of an SVG: too large, or too many dashes on its lines. */
export function checkNumbers(elements: readonly SvgElement[], limits: SvgLimits): string | undefined {
  let lineLength = 0
  let shortestDash = Number.POSITIVE_INFINITY
  for (const [property, value] of elements.flatMap(({ properties }) => properties)) {
    if (!lengths.has(property)) continue
    const found = value.match(numbers)?.map(Number) ?? []
    if (found.some((number) => number > limits.number))
      return `may have no number over ${limits.number} in ${property}`
    const sum = found.reduce((total, number) => total + number, 0)
    if (outlines.has(property)) lineLength += sum
    // A dash pattern of length 0 draws a solid line.
    if (property === 'stroke-dasharray' && sum > 0) shortestDash = Math.min(shortestDash, sum)
  }
  const copies = 1 + elements.filter(({ name }) => name === 'use').length
  const dashes = (lengthPerNumber * lineLength * copies) / shortestDash
  return dashes > limits.dashes ? 'has dashes too short for its lines' : undefined
}
