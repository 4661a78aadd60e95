import type { SvgElement } from './svg-elements.ts'

/** Declarations of an element from attributes, style sheets and its `style`, by property. */
export type Declared = ReadonlyMap<string, string>

interface Rule {
  readonly matches: (element: SvgElement) => boolean
  readonly specificity: number
  readonly declarations: Declared
}

/**
 * Declarations of each element, as CSS decides between attributes, rules and `style`. Undefined if a style sheet has
 * something that this does not understand: selectors that look at other elements, quotes, `!important`.
 */
export function declaredStyles(
  elements: readonly SvgElement[],
): ReadonlyMap<SvgElement, Declared> | undefined {
  const sheets = elements.flatMap(({ name, text }) => (name === 'style' ? readSheet(text) : []))
  const rules: Rule[] = []
  for (const rule of sheets) {
    if (rule === undefined) return undefined
    rules.push(rule)
  }
  // Sorting is stable: of equal specificity the last one stays last.
  rules.sort((a, b) => a.specificity - b.specificity)
  const styles = new Map<SvgElement, Declared>()
  for (const element of elements) {
    const own = readBlock(element.attributes['style'] ?? '')
    if (own === undefined) return undefined
    // A transformation in CSS has units, and an origin of its own.
    if (own.has('transform')) return undefined
    const matching = rules.filter(({ matches }) => matches(element))
    if (matching.some(({ declarations }) => declarations.has('transform'))) return undefined
    styles.set(
      element,
      new Map([
        ...Object.entries(element.attributes),
        ...matching.flatMap(({ declarations }) => [...declarations]),
        ...own,
      ]),
    )
  }
  return styles
}

const comment = /\/\*(?:[^*]|\*(?!\/))*\*\//g

function readSheet(text: string): readonly (Rule | undefined)[] {
  const plain = text.replace(comment, '')
  if (/["'<&\\]|\/\*|!/.test(plain)) return [undefined]
  const blocks = plain.split('}')
  if (blocks.pop()?.trim() !== '') return [undefined]
  return blocks.flatMap((block) => {
    const [selectors = '', body, ...more] = block.split('{')
    const declarations = body === undefined || more.length > 0 ? undefined : readBlock(body)
    if (declarations === undefined) return [undefined]
    return selectors.split(',').map((selector) => readRule(selector.trim(), declarations))
  })
}

/** A selector of one element: a name, classes and ids. */
function readRule(selector: string, declarations: Declared): Rule | undefined {
  if (!/^(?:\*|[\w-]+)?(?:[.#][\w-]+)*$/.test(selector) || selector === '') return undefined
  const [name = ''] = /^[\w-]*/.exec(selector) ?? []
  const marks = selector.match(/[.#][\w-]+/g) ?? []
  const [classes, ids] = [
    marks.filter((mark) => mark.startsWith('.')),
    marks.filter((mark) => mark.startsWith('#')),
  ]
  return {
    declarations,
    specificity: ids.length * 10_000 + classes.length * 100 + (name === '' ? 0 : 1),
    matches: ({ name: own, attributes }) =>
      (name === '' || name === own) &&
      ids.every((id) => attributes['id'] === id.slice(1)) &&
      classes.every((each) => (attributes['class'] ?? '').split(/\s+/).includes(each.slice(1))),
  }
}

/** Declarations between braces or in a `style` attribute. */
function readBlock(text: string): Declared | undefined {
  const plain = text.replace(comment, '')
  if (/["'<&\\{}!]|\/\*/.test(plain)) return undefined
  const declared = new Map<string, string>()
  for (const piece of plain.split(';')) {
    const colon = piece.indexOf(':')
    if (colon > 0) declared.set(piece.slice(0, colon).trim().toLowerCase(), piece.slice(colon + 1).trim())
  }
  return declared
}
