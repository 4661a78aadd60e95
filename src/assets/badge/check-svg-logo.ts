import { isUtf8 } from 'node:buffer'
import { readSvgElements, type SvgElement } from '../../svg/svg-elements.ts'
import { checkSvgWork } from '../../svg/svg-work.ts'

const namespace = 'http://www.w3.org/2000/svg'
const elements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style ' +
    'linearGradient radialGradient stop clipPath mask'
  ).split(' '),
)
const declarations = /<!(?!--)|<\?(?!xml\s)/i
/** Content that could load, run or hide something: other schemes, imports, escapes, external references. */
const dangerous = /javascript:|data:|@|\\|&#|expression\s*\(|url\(\s*(?!['"]?#)|image(?:-set)?\s*\(/i
/** With any prefix: a document may bind any prefix to the namespace of links. */
const references = /^(?:[^:]*:)?(?:href|src)$/

/**
 * What is wrong with an SVG logo, as the end of a sentence; undefined when it is safe to draw: no scripts, no external
 * references, and no work out of proportion to its length.
 */
export function checkSvgLogo(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return 'is not UTF-8'
  const source = new TextDecoder().decode(bytes)
  if (declarations.test(source)) return 'may have no document type, entities or instructions'
  const all = readSvgElements(source)
  if (typeof all === 'string') return all
  const [root] = all
  if (root?.name !== 'svg' || root.attributes['xmlns'] !== namespace) return 'must be an SVG document'
  return all.map(checkElement).find(Boolean) ?? checkSvgWork(all)
}

function checkElement({ name, attributes, text }: SvgElement): string | undefined {
  if (!elements.has(name)) return `may not have the element ${name.slice(0, 40)}`
  for (const [key, value] of Object.entries(attributes)) {
    if (isDangerous(key, value)) return `may not have the attribute ${key.slice(0, 40)} with this value`
  }
  return dangerous.test(text) ? 'may not refer to anything outside itself' : undefined
}

function isDangerous(name: string, value: string): boolean {
  if (/^on/i.test(name)) return true
  if (references.test(name.toLowerCase())) return !/^#[\w.-]+$/.test(value)
  return !name.startsWith('xmlns') && dangerous.test(value)
}
