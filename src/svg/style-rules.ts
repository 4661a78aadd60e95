/** A declaration of CSS: `['opacity', '.5']`. */
export type Declaration = readonly [property: string, value: string]

/** The declarations of a rule, and whether an element is meant. True where that cannot be told. */
export interface StyleRule {
  readonly declarations: readonly Declaration[]
  readonly matches: (element: Selectable) => boolean
}

interface Selectable {
  readonly name: string
  readonly properties: readonly Declaration[]
}

const comment = /\/\*[\s\S]*?(?:\*\/|$)/g

/**
 * Reads a style sheet or the text of a `style` attribute so that nothing a renderer may see is missed: what stands in
 * comments is read too, for a quote before it may mean that it is none.
 */
export function readDeclarations(text: string): readonly Declaration[] {
  const texts = text.includes('/*') ? [text, text.replace(comment, '')] : [text]
  return texts.flatMap((each) =>
    each.split(/[;{}]|\/\*|\*\//).flatMap((piece): Declaration[] => {
      const [, property = '', value = ''] = /^\s*([\w-]+)\s*:([\s\S]*)$/.exec(piece) ?? []
      return property === '' ? [] : [[property.toLowerCase(), value]]
    }),
  )
}

/** The rules of a style sheet. One with comments or quotes is not parsed: its declarations may be for every element. */
export function readStyleRules(styleSheet: string): readonly StyleRule[] {
  const isPlain = !/["']|\/\*|<!--|&/.test(styleSheet) && /^(?:[^{}]*\{[^{}]*\})*\s*$/.test(styleSheet)
  if (!isPlain) return [{ declarations: readDeclarations(styleSheet), matches: () => true }]
  return [...styleSheet.matchAll(/(?<![^{}])([^{}]*)\{([^{}]*)\}/g)].flatMap(
    ([, selectors = '', body = '']) => {
      const declarations = readDeclarations(body)
      return selectors.split(',').map((selector) => ({ declarations, matches: readSelector(selector) }))
    },
  )
}

/** Only `name`, `.class` and `#id`, and two of them together, are told apart; of others the last name is enough. */
function readSelector(selector: string): StyleRule['matches'] {
  const last = selector.trim().split(/\s+/).at(-1) ?? ''
  const [, name = '', mark = '', word = ''] = /^([\w-]*)(?:([.#])([\w-]+))?$/.exec(last) ?? []
  if (name === '' && mark === '') return () => true
  return (element) =>
    (name === '' || name === element.name) &&
    (mark !== '#' || valuesOf(element, 'id').includes(word)) &&
    (mark !== '.' ||
      valuesOf(element, 'class')
        .flatMap((value) => value.split(/\s+/))
        .includes(word))
}

/** Every value that a property or attribute of this name may have. */
export function valuesOf({ properties }: Pick<Selectable, 'properties'>, name: string): readonly string[] {
  return properties.flatMap(([property, value]) => (property === name ? [value] : []))
}
