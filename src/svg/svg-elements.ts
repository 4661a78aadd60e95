import { Parser } from 'htmlparser2'
import { type Declaration, readDeclarations, readStyleRules } from './style-rules.ts'
import type { SvgLimits } from './svg-limits.ts'

export interface SvgElement {
  readonly name: string
  /** Attributes as they are written, with prefixes. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: SvgElement[]
  /** 1 for the root. */
  readonly depth: number
  /** The text in it, without that of its children. */
  text: string
  /**
   * Attributes, the `style` attribute, and what rules of style sheets may say of the element, as one list. Names are
   * without prefix, for any may stand for the namespace that counts; so one may come several times.
   */
  readonly properties: Declaration[]
}

/** Every element of an SVG in the order of the text, the root first; or what there is too much of, in words. */
export function readSvgElements(source: string, limits: SvgLimits): readonly SvgElement[] | string {
  const elements = readElements(source, limits)
  if (elements.length > limits.elements) return `may have at most ${limits.elements} elements`
  if (elements.some(({ depth }) => depth > limits.depth))
    return `may have at most ${limits.depth} elements inside each other`
  const rules = elements.flatMap(({ name, text }) => (name === 'style' ? readStyleRules(text) : []))
  if (rules.length > limits.styleRules) return `may have at most ${limits.styleRules} style rules`
  let count = 0
  for (const element of elements) {
    for (const { declarations, matches } of rules) {
      if (!matches(element)) continue
      count += declarations.length
      if (count > limits.styleDeclarations) return 'has style rules that match too much'
      element.properties.push(...declarations)
    }
  }
  return elements
}

/** Stops taking elements when there are too many. */
function readElements(source: string, limits: SvgLimits): readonly SvgElement[] {
  const elements: SvgElement[] = []
  const open: SvgElement[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (elements.length > limits.elements) return
        const properties = ownProperties(attributes)
        const element = { name, attributes, children: [], depth: open.length + 1, text: '', properties }
        open.at(-1)?.children.push(element)
        open.push(element)
        elements.push(element)
      },
      ontext(text) {
        const parent = open.at(-1)
        if (parent !== undefined) parent.text += text
      },
      onclosetag() {
        open.pop()
      },
    },
    { xmlMode: true, decodeEntities: false },
  )
  parser.end(source)
  return elements
}

function ownProperties(attributes: Readonly<Record<string, string>>): Declaration[] {
  return Object.entries(attributes)
    .filter(([name]) => !name.startsWith('xmlns'))
    .flatMap(([prefixed, value]): readonly Declaration[] => {
      const name = prefixed.slice(prefixed.indexOf(':') + 1)
      return name === 'style' ? readDeclarations(value) : [[name, value]]
    })
}
