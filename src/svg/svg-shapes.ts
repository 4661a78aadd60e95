import { Bounds, type Box } from './box.ts'
import { identity, type Matrix, multiply, readTransform } from './matrix.ts'
import { mapOutline, type Outline, readOutline, type Segment } from './outline.ts'
import { cubicExtremes } from './path-bounds.ts'
import { shapePath } from './shape-path.ts'
import { strokeOutline } from './stroke-outline.ts'
import type { SvgElement } from './svg-elements.ts'
import { NeedsPixels, UnreadableSvg } from './svg-errors.ts'
import { type Inherited, inherit, initialPaint, readLength, readPaint, readShare } from './svg-paint.ts'
import { type Declared, declaredStyles } from './svg-style.ts'
import { toNonZero } from './to-non-zero.ts'

/** One filled outline of one colour, by the non-zero rule. */
export interface DrawnShape {
  readonly outline: Outline
  /** `#rrggbb` */
  readonly fill: string
  readonly opacity: number
}

export interface SvgShapes {
  readonly shapes: readonly DrawnShape[]
  /** The part that the document shows; undefined if it does not say. */
  readonly viewBox?: Box
}

/** Lines and curves of all shapes together. */
const segmentsMax = 8_000
/** Even-odd fills are measured. */
const evenOddMax = 100
/** Any coordinate, after transformations. */
const coordinateMax = 1e9

/**
 * Reads the drawing of an SVG as filled outlines, with every transformation applied and strokes turned into outlines.
 * `elements` are those of a document whose work was checked.
 * @throws NeedsPixels when it needs more than that: gradients, masks, clip paths, dashes, layers.
 * @throws UnreadableSvg when a part of it cannot be read; the message ends a sentence.
 */
export function readSvgShapes(elements: readonly SvgElement[]): SvgShapes {
  const [root] = elements
  const styles = declaredStyles(elements)
  if (root === undefined || styles === undefined) throw new NeedsPixels('the style sheet')
  const viewBox = readViewBox(root)
  const byId = new Map(elements.map((element) => [element.attributes['id'] ?? '', element]))
  let segments = 0
  let evenOddFills = 0

  function drawAll(children: readonly SvgElement[], inherited: Inherited): readonly DrawnShape[] {
    return children.flatMap((child) => draw(child, inherited))
  }

  /** In the coordinates of what is around the element. */
  function draw(element: SvgElement, from: Inherited): readonly DrawnShape[] {
    const declared = styles?.get(element) ?? new Map<string, string>()
    if (hidden.has(element.name) || element.name.includes(':') || declared.get('display') === 'none')
      return []
    if (element.name === 'text') throw new UnreadableSvg('has text: turn it into outlines')
    checkPlain(element, declared)
    const inherited = inherit(from, declared)
    const shapes = mapped(content(element, inherited), matrixOf(element))
    return faded(shapes, declared)
  }

  function content(element: SvgElement, inherited: Inherited): readonly DrawnShape[] {
    if (element.name === 'g' || element.name === 'a') return drawAll(element.children, inherited)
    if (element.name === 'use') return used(element, inherited)
    const d = shapePath(element)
    if (d === undefined) throw new NeedsPixels(`the element ${element.name}`)
    if (d === '' || !inherited.isVisible) return []
    if (inherited.fillRule === 'evenodd' && ++evenOddFills > evenOddMax)
      throw new NeedsPixels('the number of even-odd fills')
    const shapes = paint(readPathData(d), inherited, segmentsMax - segments)
    segments += shapes.reduce((sum, { outline }) => sum + segmentsOf(outline), 0)
    if (segments > segmentsMax) throw new NeedsPixels('the number of its lines')
    return shapes
  }

  function used(element: SvgElement, inherited: Inherited): readonly DrawnShape[] {
    const target = byId.get(referenceOf(element))
    if (target === undefined) return []
    const { attributes } = element
    const place: Matrix = [1, 0, 0, 1, readLength(attributes['x'] ?? '0'), readLength(attributes['y'] ?? '0')]
    if (target.name !== 'symbol') return mapped(draw(target, inherited), place)
    const own = inherit(inherited, styles?.get(target) ?? new Map())
    checkPlain(target, styles?.get(target) ?? new Map())
    if (['opacity', 'transform', 'display'].some((property) => styles?.get(target)?.has(property)))
      throw new NeedsPixels('a symbol that is more than a view box')
    const box = readViewBox(target)
    const shapes = drawAll(target.children, own)
    if (box === undefined) return mapped(shapes, place)
    return mapped(inViewport(shapes, target, box, element, viewBox), place)
  }

  checkPlain(root, styles.get(root) ?? new Map())
  const drawn = drawAll(root.children, inherit(initialPaint, styles.get(root) ?? new Map()))
  const shapes = mapped(faded(drawn, styles.get(root) ?? new Map()), matrixOf(root))
  return viewBox === undefined ? { shapes } : { shapes, viewBox }
}

/** Elements that are not drawn in place. */
const hidden = new Set(
  'defs symbol style title desc metadata linearGradient radialGradient clipPath mask'.split(' '),
)

/** Properties that need a layer, or a line that is no plain one, and their values that do not. */
const plainValues: Readonly<Record<string, RegExp>> = {
  'clip-path': /^none$/,
  mask: /^none$/,
  filter: /^none$/,
  'mix-blend-mode': /^normal$/,
  'stroke-dasharray': /^(?:none|[0\s,]*)$/,
  'vector-effect': /^none$/,
  'paint-order': /^normal$/,
  'transform-origin': /^$/,
  'transform-box': /^$/,
}

function checkPlain({ name }: SvgElement, declared: Declared): void {
  for (const [property, plain] of Object.entries(plainValues)) {
    const value = declared.get(property)
    if (value !== undefined && !plain.test(value.trim())) throw new NeedsPixels(`${property} of a ${name}`)
  }
}

function matrixOf({ attributes }: SvgElement): Matrix {
  const text = attributes['transform']
  if (text === undefined) return identity
  const matrix = readTransform(text)
  if (matrix === undefined) throw new UnreadableSvg('has a transform that cannot be read')
  return matrix
}

function readPathData(d: string): Outline {
  try {
    return readOutline(d)
  } catch (error) {
    if (error instanceof RangeError)
      throw new UnreadableSvg('has path data that cannot be read', { cause: error })
    throw error
  }
}

/** The fill and the stroke of an outline. `remaining` is how many lines and curves they may have. */
function paint(outline: Outline, style: Inherited, remaining: number): readonly DrawnShape[] {
  const shapes: DrawnShape[] = []
  const fill = readPaint(style.fill)
  if (fill !== undefined && style.fillOpacity > 0) {
    const filled = style.fillRule === 'nonzero' ? outline : toNonZero(outline)
    if (filled === undefined) throw new NeedsPixels('an even-odd fill of lines that cross')
    shapes.push({ outline: filled, fill: fill.fill, opacity: fill.alpha * style.fillOpacity })
  }
  const stroke = readPaint(style.stroke)
  if (stroke !== undefined && style.strokeOpacity > 0 && style.pen.width > 0) {
    const stroked = strokeOutline(outline, style.pen, remaining)
    if (stroked === undefined) throw new NeedsPixels('the number of its lines')
    shapes.push({ outline: stroked, fill: stroke.fill, opacity: stroke.alpha * style.strokeOpacity })
  }
  return shapes
}

function mapped(shapes: readonly DrawnShape[], matrix: Matrix): readonly DrawnShape[] {
  if (matrix === identity) return shapes
  return shapes.map((shape) => ({ ...shape, outline: mapOutline(shape.outline, matrix) }))
}

/** A group that lets through what is behind it is one layer: its parts must not show through each other. */
function faded(shapes: readonly DrawnShape[], declared: Declared): readonly DrawnShape[] {
  const opacity = readShare(declared.get('opacity') ?? '1')
  if (opacity === 1) return shapes
  if (opacity === 0) return []
  if (shapes.length > 1) throw new NeedsPixels('the opacity of a group')
  return shapes.map((shape) => ({ ...shape, opacity: shape.opacity * opacity }))
}

function referenceOf({ attributes }: SvgElement): string {
  const href = attributes['href'] ?? Object.entries(attributes).find(([name]) => name.endsWith(':href'))?.[1]
  return (href ?? '').replace('#', '').trim()
}

function segmentsOf(outline: Outline): number {
  return outline.reduce((sum, { segments }) => sum + segments.length, 0)
}

/** Shapes of a symbol in the viewport that a `use` gives it; what leaves it would be cut off. */
function inViewport(
  shapes: readonly DrawnShape[],
  symbol: SvgElement,
  box: Box,
  { attributes }: SvgElement,
  around: Box | undefined,
): readonly DrawnShape[] {
  if (symbol.attributes['preserveAspectRatio'] !== undefined)
    throw new NeedsPixels('a symbol that is stretched')
  if (!isBoxWithin(boundsOf(shapes), box)) throw new NeedsPixels('a symbol that is cut off')
  const [boxWidth, boxHeight] = [box.right - box.left, box.bottom - box.top]
  const width =
    attributes['width'] === undefined ? around && around.right - around.left : readLength(attributes['width'])
  const height =
    attributes['height'] === undefined
      ? around && around.bottom - around.top
      : readLength(attributes['height'])
  if (width === undefined || height === undefined) throw new NeedsPixels('a symbol without a size')
  const scale = Math.min(width / boxWidth, height / boxHeight)
  const x = (width - boxWidth * scale) / 2 - box.left * scale
  const y = (height - boxHeight * scale) / 2 - box.top * scale
  return mapped(shapes, multiply([1, 0, 0, 1, x, y], [scale, 0, 0, scale, 0, 0]))
}

/** The box around what is filled. @throws UnreadableSvg for coordinates beyond all bounds. */
export function boundsOf(shapes: readonly DrawnShape[]): Box {
  const bounds = new Bounds()
  for (const { outline } of shapes)
    for (const { segments } of outline) for (const segment of segments) addSegment(bounds, segment)
  return bounds
}

function addSegment(bounds: Bounds, { from, to, controls }: Segment): void {
  const points = [from, to, ...(controls ?? [])]
  if (!points.every(({ x, y }) => Math.abs(x) <= coordinateMax && Math.abs(y) <= coordinateMax))
    throw new UnreadableSvg('has coordinates that are too large')
  bounds.add(from.x, from.y)
  bounds.add(to.x, to.y)
  if (controls === undefined) return
  const [first, second] = controls
  for (const x of cubicExtremes(from.x, first.x, second.x, to.x)) bounds.add(x, to.y)
  for (const y of cubicExtremes(from.y, first.y, second.y, to.y)) bounds.add(to.x, y)
}

/** Whether a box leaves another by no more than half a percent of its size. */
export function isBoxWithin(inner: Box, outer: Box): boolean {
  const slackX = (outer.right - outer.left) / 200
  const slackY = (outer.bottom - outer.top) / 200
  return (
    inner.left >= outer.left - slackX &&
    inner.right <= outer.right + slackX &&
    inner.top >= outer.top - slackY &&
    inner.bottom <= outer.bottom + slackY
  )
}

/** The attribute `viewBox`, or the size where there is none. */
function readViewBox({ name, attributes }: SvgElement): Box | undefined {
  const { viewBox, width, height } = attributes
  if (viewBox !== undefined) {
    const [x = Number.NaN, y = Number.NaN, boxWidth = 0, boxHeight = 0] = viewBox
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    if (!(boxWidth > 0 && boxHeight > 0 && Number.isFinite(x + y)))
      throw new UnreadableSvg('has a view box without an area')
    if (attributes['preserveAspectRatio']?.includes('none')) throw new NeedsPixels('a stretched drawing')
    return { left: x, top: y, right: x + boxWidth, bottom: y + boxHeight }
  }
  if (name !== 'svg' || width === undefined || height === undefined) return undefined
  return { left: 0, top: 0, right: readLength(width), bottom: readLength(height) }
}
