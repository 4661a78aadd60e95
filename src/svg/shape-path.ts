import type { SvgElement } from './svg-elements.ts'
import { UnreadableSvg } from './svg-errors.ts'
import { readLength } from './svg-paint.ts'

/** Path data of a basic shape or a path; empty for one that is not drawn, undefined for an element of another kind. */
export function shapePath({ name, attributes }: SvgElement): string | undefined {
  function length(attribute: string): number | undefined {
    const text = attributes[attribute]
    return text === undefined || text.trim() === 'auto' ? undefined : readLength(text)
  }
  function number(attribute: string): number {
    return length(attribute) ?? 0
  }
  switch (name) {
    case 'path':
      return pathOf(attributes['d'] ?? '')
    case 'polygon':
      return polyline(attributes['points'] ?? '', 'Z')
    case 'polyline':
      return polyline(attributes['points'] ?? '', '')
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'))
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), length('rx') ?? number('ry'), length('ry') ?? number('rx'))
    case 'rect':
      return rectangle(
        number('x'),
        number('y'),
        number('width'),
        number('height'),
        length('rx'),
        length('ry'),
      )
    default:
      return undefined
  }
}

function pathOf(d: string): string {
  const text = d.trim()
  if (text === '' || text === 'none') return ''
  if (!/^[Mm]/.test(text)) throw new UnreadableSvg('has path data that cannot be read')
  return text
}

function polyline(points: string, end: string): string {
  if (points.trim() === '') return ''
  // No commands: only numbers may stand here.
  if (!/^[-+.,\s\deE]*$/.test(points)) throw new UnreadableSvg('has points that cannot be read')
  return `M${points}${end}`
}

function ellipse(x: number, y: number, radiusX: number, radiusY: number): string {
  if (!(radiusX > 0 && radiusY > 0)) return ''
  const arc = `A${radiusX} ${radiusY} 0 0 1`
  return `M${x + radiusX} ${y}${arc} ${x} ${y + radiusY} ${arc} ${x - radiusX} ${y} ${arc} ${x} ${y - radiusY} ${arc} ${x + radiusX} ${y}Z`
}

function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  givenX: number | undefined,
  givenY: number | undefined,
): string {
  if (!(width > 0 && height > 0)) return ''
  const radiusX = Math.min(width / 2, Math.max(0, givenX ?? givenY ?? 0))
  const radiusY = Math.min(height / 2, Math.max(0, givenY ?? givenX ?? 0))
  const [right, bottom] = [x + width, y + height]
  if (radiusX === 0 || radiusY === 0) return `M${x} ${y}H${right}V${bottom}H${x}Z`
  const arc = `A${radiusX} ${radiusY} 0 0 1`
  return (
    `M${x + radiusX} ${y}H${right - radiusX}${arc} ${right} ${y + radiusY}V${bottom - radiusY}${arc} ${right - radiusX} ${bottom}` +
    `H${x + radiusX}${arc} ${x} ${bottom - radiusY}V${y + radiusY}${arc} ${x + radiusX} ${y}Z`
  )
}
