import { Bounds, type Box, pathBounds } from './bounds.ts'
import { openPathKit, type Pen } from './path-kit.ts'
import { readElements, type SvgElement } from './read-safe-svg.ts'
import type { FilledShape, Shapes } from './shapes-svg.ts'
import { closedPath } from './write-path.ts'

/** An SVG that needs more than filled shapes of one colour each: it is drawn as pixels. */
export class NeedsPixels extends Error {
  override readonly name = 'NeedsPixels'
}

/** An SVG that cannot be drawn at all; the message ends a sentence about it. */
export class UnreadableSvg extends Error {
  override readonly name = 'UnreadableSvg'
}

/** An affine map as SVG writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

type DrawnShape = Required<FilledShape>

/** The longer side of the shapes' own view box, and how exact their coordinates are. */
const longSide = 1000
const decimals = 1
/** The longer side by the shorter one. A logo of a card is at most 600 pixels wide, so a thinner one is not seen. */
const aspectMax = 500
/** A margin up to this share of a side belongs to the drawing: its view box is kept. */
const marginMax = 0.02
const coordinateMax = 1_000_000
/** The document, in characters: its shapes may have a tenth of that together. */
const lengthMax = 1_000_000
const elementsMax = 20_000

/** Shapes of what resvg's `toString()` wrote, without margins unless `hasFrame` cuts there. @throws NeedsPixels, UnreadableSvg */
export async function readShapes(normalized: string, hasFrame: boolean): Promise<Shapes> {
  if (normalized.length > lengthMax) throw new NeedsPixels('long path data')
  const elements = readElements(normalized, elementsMax)
  const [root] = elements
  if (root === undefined || elements.length > elementsMax) throw new NeedsPixels('the number of its elements')
  if (root.attributes['preserveAspectRatio']?.includes('none')) throw new NeedsPixels('a stretched drawing')
  const [x = 0, y = 0, width = 0, height = 0] = numbersOf(root.attributes['viewBox'])
  const needsOutlines = elements.some(({ attributes }) => isEvenOdd(attributes) || isStroked(attributes))
  const tools = {
    clipPaths: new Map(elements.map((element) => [`url(#${element.attributes['id']})`, element])),
    kit: needsOutlines ? await openPathKit() : undefined,
    scale: longSide / Math.max(width, height),
  }
  const drawn = drawAll(root.children, [1, 0, 0, 1, 0, 0], tools)
  return trimmed(drawn, hasFrame ? { left: x, top: y, right: x + width, bottom: y + height } : undefined)
}

interface Tools {
  readonly clipPaths: ReadonlyMap<string, SvgElement>
  readonly kit: Awaited<ReturnType<typeof openPathKit>> | undefined
  readonly scale: number
}

type Attributes = SvgElement['attributes']

function drawAll(elements: readonly SvgElement[], matrix: Matrix, tools: Tools): readonly DrawnShape[] {
  return elements.flatMap((element) => {
    const { name, attributes } = element
    if (name === 'defs' || attributes['visibility'] === 'hidden') return []
    const property = layered.find((each) => attributes[each] !== undefined)
    if (property !== undefined && attributes[property] !== isolated) throw new NeedsPixels(property)
    if (name === 'path') return drawPath(attributes, matrix, tools)
    if (name !== 'g') throw new NeedsPixels(`the element ${name}`)
    return drawGroup(element, matrix, tools)
  })
}

/** Properties that need a layer, or a line that is no plain one. */
const layered = ['mask', 'filter', 'style', 'stroke-dasharray', 'paint-order'] as const
/** A layer that changes nothing. */
const isolated = 'mix-blend-mode:normal;isolation:isolate'

function drawGroup({ attributes, children }: SvgElement, outer: Matrix, tools: Tools): readonly DrawnShape[] {
  const matrix =
    attributes['transform'] === undefined ? outer : multiply(outer, matrixOf(attributes['transform']))
  const shapes = drawAll(children, matrix, tools).filter(isVisible)
  const clip = attributes['clip-path']
  if (clip !== undefined && shapes.length > 0) {
    const box = clipBox(tools.clipPaths.get(clip), matrix)
    if (box === undefined || !isBoxWithin(boundsOf(shapes), box))
      throw new NeedsPixels('a part that is cut off')
  }
  const opacity = Number(attributes['opacity'] ?? 1)
  if (opacity === 1) return shapes
  // A group is one layer: its parts must not show through each other.
  if (opacity > 0 && shapes.length > 1) throw new NeedsPixels('the opacity of a group')
  return shapes.map((shape) => ({ ...shape, opacity: shape.opacity * opacity }))
}

function clipBox(clipPath: SvgElement | undefined, matrix: Matrix): Box | undefined {
  const [only, ...others] = clipPath?.children ?? []
  const d = only?.attributes['d'] ?? ''
  const isRectangle = /^M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 Z$/.test(d)
  const isPlain = others.length === 0 && Object.keys(clipPath?.attributes ?? {}).join() === 'id'
  return isRectangle && isPlain && matrix[1] === 0 && matrix[2] === 0
    ? pathBounds(mapped(d, matrix))
    : undefined
}

function drawPath(attributes: Attributes, matrix: Matrix, { kit, scale }: Tools): readonly DrawnShape[] {
  const { d = '', fill = '#000000', stroke = 'none' } = attributes
  const shapes: DrawnShape[] = []
  function add(outline: string | undefined, color: string, opacity = '1'): void {
    if (outline === undefined) throw new NeedsPixels('long outlines')
    if (!/^#[\da-f]{6}$/.test(color)) throw new NeedsPixels(`the paint ${color}`)
    shapes.push({ d: mapped(outline, matrix), fill: color, opacity: Number(opacity) })
  }
  // Outlines are made in the coordinates of the path, as large as they will be.
  const outlineScale = scale * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  if (fill !== 'none')
    add(isEvenOdd(attributes) ? kit?.nonZero(d, outlineScale) : d, fill, attributes['fill-opacity'])
  if (isStroked(attributes)) {
    const pen: Pen = {
      width: Number(attributes['stroke-width'] ?? 1),
      cap: caps.find((each) => each === attributes['stroke-linecap']) ?? 'butt',
      join: joins.find((each) => each === attributes['stroke-linejoin']) ?? 'miter',
      miterLimit: Number(attributes['stroke-miterlimit'] ?? 4),
    }
    add(kit?.stroke(d, pen, outlineScale), stroke, attributes['stroke-opacity'])
  }
  return shapes
}

function isEvenOdd(attributes: Attributes): boolean {
  return attributes['fill-rule'] === 'evenodd'
}

function isStroked({ stroke = 'none' }: Attributes): boolean {
  return stroke !== 'none'
}

const caps = ['round', 'square'] as const
const joins = ['round', 'bevel'] as const

/** First `inner`, then `outer`. */
function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

function matrixOf(transform: string): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(transform.slice('matrix('.length, -1))
  return [a, b, c, d, e, f]
}

function numbersOf(text = ''): readonly number[] {
  return text.split(' ').map(Number)
}

/** Path data of absolute commands with every point mapped. */
function mapped(path: string, [a, b, c, d, e, f]: Matrix): string {
  let x: number | undefined
  return path.replace(number, (text) => {
    const value = Number(text)
    if (x === undefined) {
      x = value
      return ''
    }
    const point = `${a * x + c * value + e} ${b * x + d * value + f}`
    x = undefined
    return point
  })
}

const number = /-?[\d.]+(?:e[-+]?\d+)?/g

function isVisible({ d, opacity }: DrawnShape): boolean {
  return opacity > 0 && d.split('M').some((contour) => !isStraight(contour))
}

/** All points of a contour are on one line: nothing is filled. */
function isStraight(contour: string): boolean {
  const numbers = contour.match(number)?.map(Number) ?? []
  const [firstX = 0, firstY = 0] = numbers
  const ways = numbers.map((value, at) => value - (at % 2 === 0 ? firstX : firstY))
  const far = ways.findIndex((distance) => distance !== 0)
  const [dx = 0, dy = 0] = ways.slice(far - (far % 2))
  return ways.every((distance, at) => at % 2 === 1 || distance * dy === (ways[at + 1] ?? 0) * dx)
}

function boundsOf(shapes: readonly DrawnShape[]): Box {
  const bounds = new Bounds()
  for (const { d } of shapes) bounds.addBox(pathBounds(d))
  const { left, top, right, bottom } = bounds
  if (![left, top, right, bottom].every((edge) => Math.abs(edge) <= coordinateMax))
    throw new UnreadableSvg('has coordinates that are too large')
  return bounds
}

/** Allows half a percent of the outer box's size. */
function isBoxWithin(inner: Box, outer: Box): boolean {
  const slackX = (outer.right - outer.left) / 200
  const slackY = (outer.bottom - outer.top) / 200
  return (
    inner.left >= outer.left - slackX &&
    inner.right <= outer.right + slackX &&
    inner.top >= outer.top - slackY &&
    inner.bottom <= outer.bottom + slackY
  )
}

/** Shapes in a view box of their own, without the margins of the document. */
function trimmed(drawn: readonly DrawnShape[], viewBox: Box | undefined): Shapes {
  const visible = drawn.filter(isVisible)
  if (visible.length === 0) throw new UnreadableSvg('shows nothing')
  const ink = boundsOf(visible)
  if (viewBox !== undefined && !isBoxWithin(ink, viewBox)) throw new NeedsPixels('a drawing that is cut off')
  const box = viewBox === undefined ? ink : withoutMargins(ink, viewBox)
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  const scale = longSide / Math.max(width, height)
  // Also false where the sides are too small, or too far from the origin, to be told from 0.
  if (!(Math.min(width, height) * scale * aspectMax >= longSide))
    throw new UnreadableSvg(`is too thin: its longer side may be ${aspectMax} times the shorter one`)
  const shapes = visible.map(({ d, fill, opacity }): FilledShape => {
    const path = closedPath(
      d,
      decimals,
      (x) => (x - box.left) * scale,
      (y) => (y - box.top) * scale,
    )
    return { d: path, fill, ...(opacity < 1 ? { opacity: Math.round(opacity * 1000) / 1000 } : {}) }
  })
  return { width: Math.round(width * scale), height: Math.round(height * scale), shapes }
}

/** The view box where the ink reaches both of its edges, in each direction; else the ink. */
function withoutMargins(ink: Box, viewBox: Box): Box {
  const slackX = (viewBox.right - viewBox.left) * marginMax
  const slackY = (viewBox.bottom - viewBox.top) * marginMax
  const isWide = ink.left - viewBox.left <= slackX && viewBox.right - ink.right <= slackX
  const isTall = ink.top - viewBox.top <= slackY && viewBox.bottom - ink.bottom <= slackY
  const { left, right } = isWide ? viewBox : ink
  const { top, bottom } = isTall ? viewBox : ink
  return { left, right, top, bottom }
}
