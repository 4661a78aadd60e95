import { Parser } from 'htmlparser2'

const elements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style ' +
    'linearGradient radialGradient stop clipPath mask pattern'
  ).split(' '),
)
const declarations = /<!(?!--)|<\?(?!xml\s)/i
/** Anything that could load, run or hide something: other schemes, imports, escapes, references out of the file. */
const dangerous = /javascript:|data:|@|\\|&#|expression\s*\(|url\(\s*(?!['"]?#)|image(?:-set)?\s*\(/i
const references = /^(?:xlink:)?(?:href|src)$/

/** What is wrong with an SVG logo, or undefined when it draws only itself: no scripts, no references to elsewhere. */
export function checkSvgLogo(bytes: Uint8Array): string | undefined {
  const source = decodeUtf8(bytes)
  if (source === undefined) return 'is not UTF-8'
  if (declarations.test(source)) return 'may have no document type, entities or instructions'
  let complaint: string | undefined
  let root: string | undefined
  const complain = (text: string) => {
    complaint ??= text
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        root ??= `${name} ${attributes['xmlns']}`
        if (!elements.has(name)) complain(`may not have the element ${name.slice(0, 40)}`)
        for (const [key, value] of Object.entries(attributes)) {
          if (isDangerous(key, value))
            complain(`may not have the attribute ${key.slice(0, 40)} with this value`)
        }
      },
      ontext(text) {
        if (dangerous.test(text)) complain('may not refer to anything outside itself')
      },
    },
    { xmlMode: true, decodeEntities: false },
  )
  parser.end(source)
  return root === 'svg http://www.w3.org/2000/svg' ? complaint : 'must be an SVG document'
}

function isDangerous(name: string, value: string): boolean {
  if (/^on/i.test(name)) return true
  if (references.test(name.toLowerCase())) return !/^#[\w.-]+$/.test(value)
  return !name.startsWith('xmlns') && dangerous.test(value)
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
