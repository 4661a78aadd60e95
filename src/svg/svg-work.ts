import { valuesOf } from './style-rules.ts'
import type { SvgElement } from './svg-elements.ts'
import type { SvgLimits } from './svg-limits.ts'
import { checkNumbers } from './svg-numbers.ts'

/** The fault of a caller's SVG; undefined if the work to draw it is bounded by its length. */
export function checkSvgWork(elements: readonly SvgElement[], limits: SvgLimits): string | undefined {
  const [root] = elements
  if (root === undefined) return 'must be an SVG document'
  return (
    elements.map((element) => checkProperties(element, limits)).find(Boolean) ??
    checkNumbers(elements, limits) ??
    checkDrawing(root, elements, limits)
  )
}

/** Properties that give an element a layer of its own, and their values that do not. */
const layered: Readonly<Record<string, RegExp>> = {
  opacity: /^(?:1(?:\.0*)?|100%)$/,
  mask: /^none$/,
  'clip-path': /^none$/,
  'mix-blend-mode': /^normal$/,
  isolation: /^auto$/,
}

function checkProperties({ name, children, properties }: SvgElement, limits: SvgLimits): string | undefined {
  const stops = children.filter((child) => child.name === 'stop').length
  if (stops > limits.stopsPerGradient)
    return `may have at most ${limits.stopsPerGradient} stops in a gradient`
  if (name === 'pattern') return 'may have no patterns'
  for (const [property, given] of properties) {
    const value = plain(given)
    if (property === 'filter' && value !== 'none') return 'may have no filters'
    // The value of the parent would be one more layer, and one more reference.
    if (Object.hasOwn(layered, property) && value.includes('inherit')) return `may not inherit ${property}`
  }
  return undefined
}

/** Work to draw an element, with everything in it and everything that it refers to. */
interface Work {
  readonly drawn: number
  readonly layers: number
  readonly layerDepth: number
  /** How it and what is in it refer to others: `use`, `mask`, `clipPath`. */
  readonly references: ReadonlySet<string>
}

/** Marks an element that is being counted, which finds an element that refers to itself. */
const inProgress: Work = { drawn: 0, layers: 0, layerDepth: 0, references: new Set() }

function checkDrawing(
  root: SvgElement,
  elements: readonly SvgElement[],
  limits: SvgLimits,
): string | undefined {
  const ids = elements.flatMap((element) => valuesOf(element, 'id').map((id) => ({ id, element })))
  const byId = Map.groupBy(ids, ({ id }) => id)
  const visited = new Map<SvgElement, Work>()
  const stops = elements.filter(({ name }) => name === 'stop').length
  // Which gradient fills an element is not followed: it may come from any of the elements around it.
  const weight = 1 + Math.min(stops, limits.stopsPerGradient) / 16
  let problem: string | undefined

  function work(element: SvgElement): Work {
    const found = visited.get(element)
    if (found === inProgress) problem ??= 'may not refer to itself'
    if (found !== undefined) return found
    visited.set(element, inProgress)
    const references = new Set<string>()
    const inside = element.children.map(work)
    for (const child of inside) for (const kind of child.references) references.add(kind)
    for (const { id, isUse } of referencesOf(element)) {
      for (const { element: target } of byId.get(id) ?? []) {
        const kind = isUse ? 'use' : target.name
        const content = work(target)
        if (isContainer(kind) && content.references.has(kind))
          problem ??= `may not refer to a ${kind} from inside of a ${kind}`
        for (const nested of [kind, ...content.references]) references.add(nested)
        inside.push(content)
      }
    }
    const layers = layersOf(element)
    const done: Work = {
      drawn: sumOf(inside, 'drawn') + weight + pathLength(element) / 64,
      layers: sumOf(inside, 'layers') + layers,
      layerDepth: layers + Math.max(0, ...inside.map(({ layerDepth }) => layerDepth)),
      references,
    }
    visited.set(element, done)
    return done
  }

  const { drawn, layers, layerDepth } = work(root)
  if (problem !== undefined) return problem
  if (drawn > limits.drawn) return 'has too much to draw: elements, references or gradient stops'
  if (layers > limits.layers || layerDepth > limits.layerDepth)
    return 'has too many elements with opacity, mask, clip-path or blending'
  return undefined
}

/** In characters. */
function pathLength(element: SvgElement): number {
  return [...valuesOf(element, 'd'), ...valuesOf(element, 'points')].join('').length
}

/** Gradients hold nothing that is drawn; they may take their stops from one another. */
function isContainer(kind: string): boolean {
  return !kind.endsWith('Gradient')
}

function layersOf({ name, depth, properties }: SvgElement): number {
  const reasons = properties.filter(([property, value]) => layered[property]?.test(plain(value)) === false)
  // A viewport inside the document cuts off what overflows it.
  const isViewport = name === 'symbol' || (name === 'svg' && depth > 1)
  return new Set(reasons.map(([property]) => property)).size + (isViewport ? 1 : 0)
}

function referencesOf({ name, properties }: SvgElement) {
  return properties.flatMap(([property, value]) => {
    const ids = property === 'href' ? [value.replace(/^\s*#/, '').trim()] : urlsIn(value)
    return ids.map((id) => ({ id, isUse: property === 'href' && name === 'use' }))
  })
}

function urlsIn(value: string): string[] {
  return [...value.matchAll(/url\([\s'"]*#([^'")]*)/gi)].map(([, id = '']) => id.trim())
}

function plain(value: string): string {
  return value
    .replace(/!\s*important/i, '')
    .trim()
    .toLowerCase()
}

function sumOf(all: readonly Work[], part: 'drawn' | 'layers'): number {
  return all.reduce((sum, each) => sum + each[part], 0)
}
