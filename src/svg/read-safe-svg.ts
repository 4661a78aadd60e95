import { isUtf8 } from 'node:buffer'
import { Parser } from 'htmlparser2'
import { isPathData } from './bounds.ts'

export interface SvgElement {
  readonly name: string
  /** With prefixes, as they are written. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: SvgElement[]
  text: string
}

export interface SafeSvgOptions {
  /** 500 when absent. Logos have far fewer. */
  readonly elementsMax?: number
  /** True of one that becomes shapes or pixels of ours: it may have notes of drawing programs, and all of it must be readable. */
  readonly isRedrawn?: boolean
}

const namespace = 'http://www.w3.org/2000/svg'
/** Elements inside each other, also by reference: an element that is used is inside the one that uses it. */
const depthMax = 24
/** Elements that are drawn once every reference is followed, as a multiple of those that are written. */
const drawnFactor = 2

const drawnElements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon style ' +
    'linearGradient radialGradient stop clipPath mask'
  ).split(' '),
)
const declarations = /<!(?!--|\[CDATA\[)|<\?(?!xml\s)/i
/** Content that could load, run or hide something: other schemes, imports, escapes, external references. */
const dangerous = /javascript:|data:|@|\\|&#|expression\s*\(|url\(\s*(?!['"]?#)|image(?:-set)?\s*\(/i
/** With any prefix: a document may bind any prefix to the namespace of links. */
const references = /^(?:[^:]*:)?(?:href|src)$/

/**
 * Returns the source of a caller's SVG, or what is wrong with it, as the end of a sentence. It then has no scripts and no references
 * to the outside, and bounded elements, also once references are followed. CPU time and memory for drawing it are bounded by
 * the process that draws it.
 */
export function readSafeSvg(
  bytes: Uint8Array,
  { elementsMax = 500, isRedrawn = false }: SafeSvgOptions = {},
): { readonly source: string } | string {
  if (!isUtf8(bytes)) return 'is not UTF-8'
  const source = new TextDecoder().decode(bytes)
  if (declarations.test(source)) return 'may have no document type, entities or instructions'
  const elements = readElements(source, elementsMax)
  if (elements.length > elementsMax) return `may have at most ${elementsMax} elements`
  const [root] = elements
  if (root?.name !== 'svg' || root.attributes['xmlns'] !== namespace) return 'must be an SVG document'
  const problem =
    elements.map((element) => checkElement(element, isRedrawn)).find(Boolean) ??
    checkDrawing(root, elements, drawnFactor * elementsMax) ??
    (isRedrawn ? elements.map(checkReadable).find(Boolean) : undefined)
  return problem ?? { source }
}

/** Every element of an XML document in the order of the text, the root first; one more than `elementsMax` at most. */
export function readElements(source: string, elementsMax: number): readonly SvgElement[] {
  const elements: SvgElement[] = []
  const open: SvgElement[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (elements.length > elementsMax) return
        const element = { name, attributes, children: [], text: '' }
        open.at(-1)?.children.push(element)
        open.push(element)
        elements.push(element)
      },
      ontext(text) {
        const parent = open.at(-1)
        if (parent !== undefined) parent.text += text
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: false },
  )
  parser.end(source)
  return elements
}

function checkElement({ name, attributes, text }: SvgElement, allowsNotes: boolean): string | undefined {
  // It would need fonts, which neither our renderers nor the browsers of all visitors have.
  if (name === 'text') return 'has text: turn it into outlines'
  const isNote = allowsNotes && (name === 'metadata' || name.includes(':'))
  if (!isNote && !drawnElements.has(name)) return `may not have the element ${name.slice(0, 40)}`
  for (const [key, value] of Object.entries(attributes)) {
    if (isDangerous(key, value, allowsNotes))
      return `may not have the attribute ${key.slice(0, 40)} with this value`
  }
  const isRead = !isNote && !(allowsNotes && (name === 'title' || name === 'desc'))
  return isRead && dangerous.test(text) ? 'may not refer to anything outside itself' : undefined
}

function isDangerous(name: string, value: string, allowsNotes: boolean): boolean {
  if (/^on/i.test(name)) return true
  if (references.test(name.toLowerCase())) return !/^#[\w.-]+$/.test(value)
  // With notes, a prefix may not stand for SVG itself, so that what has one is a note.
  if (name.startsWith('xmlns')) return allowsNotes && name.includes(':') && value.trim() === namespace
  return !(allowsNotes && name.includes(':')) && dangerous.test(value)
}

/** Marks an element that is being counted, which finds one that refers to itself. */
const inProgress = { elements: 0, depth: 0 }

/** Finds what is too much once references are followed. References of style sheets are not: they name no element. */
function checkDrawing(
  root: SvgElement,
  elements: readonly SvgElement[],
  drawnMax: number,
): string | undefined {
  // Gradients hold nothing that is drawn.
  const containers = elements.filter(({ name }) => !name.endsWith('Gradient'))
  const byId = Map.groupBy(containers, ({ attributes }) => attributes['id'])
  const counted = new Map<SvgElement, typeof inProgress>()
  let problem: string | undefined

  /** The elements that an element draws, itself and by reference, and how many of them are inside each other at most. */
  function count(element: SvgElement, level: number): typeof inProgress {
    const known = counted.get(element)
    if (known === inProgress) problem ??= 'may not refer to itself'
    if (level > depthMax) problem ??= tooDeep
    if (known !== undefined || problem !== undefined) return known ?? inProgress
    counted.set(element, inProgress)
    const referred = referencesOf(element).flatMap((id) => byId.get(id) ?? [])
    const inner = [...element.children, ...referred].map((each) => count(each, level + 1))
    const drawing = {
      elements: inner.reduce((sum, each) => sum + each.elements, 1),
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    }
    // One that was counted at a higher level may be too deep here.
    if (level + drawing.depth - 1 > depthMax) problem ??= tooDeep
    counted.set(element, drawing)
    return drawing
  }

  const { elements: drawn } = count(root, 1)
  return problem ?? (drawn > drawnMax ? 'has too much to draw: elements, or references to them' : undefined)
}

const tooDeep = `may have at most ${depthMax} elements inside each other`

function referencesOf({ attributes }: SvgElement): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    if (references.test(name)) return [value.replace('#', '').trim()]
    return [...value.matchAll(/url\([\s'"]*#([^'")]*)/gi)].map(([, id = '']) => id.trim())
  })
}

/** Attributes of which a renderer would leave out what it cannot read, and what they have to be. */
const readable: Readonly<Record<string, readonly [words: string, isReadable: (value: string) => boolean]>> = {
  d: ['path data', isPathData],
  points: ['points', (value) => /^[-+.,\s\deE]*$/.test(value)],
  transform: [
    'a transform',
    (value) =>
      /^(?:[\s,]*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+.,\s\deE]*\))*\s*$/.test(value),
  ],
}

/** The reason why an element cannot be drawn anew as it is meant. */
function checkReadable({ attributes }: SvgElement): string | undefined {
  for (const [attribute, [words, isReadable]] of Object.entries(readable)) {
    const value = attributes[attribute]?.trim() ?? ''
    if (value !== 'none' && !isReadable(value)) return `has ${words} that cannot be read`
  }
  const [, , width = 1, height = 1] = attributes['viewBox']?.trim().split(/[\s,]+/) ?? []
  return Number(width) > 0 && Number(height) > 0 ? undefined : 'has a view box without an area'
}
