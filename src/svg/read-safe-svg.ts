import { isUtf8 } from 'node:buffer'
import { readSvgElements, type SvgElement } from './svg-elements.ts'
import { type SvgLimits, svgLimits } from './svg-limits.ts'
import { checkSvgWork } from './svg-work.ts'

export interface SafeSvg {
  readonly source: string
  /** In the order of the text, the root first. */
  readonly elements: readonly SvgElement[]
}

export interface SafeSvgOptions {
  readonly limits?: SvgLimits
  /**
   * Whether drawing programs may leave their notes: `metadata`, and elements and attributes of other namespaces. They
   * are for what becomes shapes or pixels, and is not shown as it came.
   */
  readonly allowsNotes?: boolean
}

const namespace = 'http://www.w3.org/2000/svg'
const drawnElements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style ' +
    'linearGradient radialGradient stop clipPath mask'
  ).split(' '),
)
const declarations = /<!(?!--|\[CDATA\[)|<\?(?!xml\s)/i
/** Content that could load, run or hide something: other schemes, imports, escapes, external references. */
const dangerous = /javascript:|data:|@|\\|&#|expression\s*\(|url\(\s*(?!['"]?#)|image(?:-set)?\s*\(/i
/** With any prefix: a document may bind any prefix to the namespace of links. */
const references = /^(?:[^:]*:)?(?:href|src)$/

/**
 * The elements of an SVG, or what is wrong with it, as the end of a sentence. What is returned is safe to draw: no
 * scripts, no external references, and no work out of proportion to its length.
 */
export function readSafeSvg(bytes: Uint8Array, options: SafeSvgOptions = {}): SafeSvg | string {
  const { limits = svgLimits, allowsNotes = false } = options
  if (!isUtf8(bytes)) return 'is not UTF-8'
  const source = new TextDecoder().decode(bytes)
  if (declarations.test(source)) return 'may have no document type, entities or instructions'
  const elements = readSvgElements(source, limits)
  if (typeof elements === 'string') return elements
  const [root] = elements
  if (root?.name !== 'svg' || root.attributes['xmlns'] !== namespace) return 'must be an SVG document'
  const problem =
    elements.map((element) => checkElement(element, allowsNotes)).find(Boolean) ??
    checkSvgWork(elements, limits)
  return problem ?? { source, elements }
}

function checkElement({ name, attributes, text }: SvgElement, allowsNotes: boolean): string | undefined {
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
