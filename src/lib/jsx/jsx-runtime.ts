// Every `.tsx` file names this JSX source in its first line, because Bun reads the JSX settings of `tsconfig.json` from the
// folder it is started in, not from the folder of the source.
import { createElement } from '@elysiajs/html'
import { type Child, escapeHtml, Markup, renderChild } from './markup.ts'

type Component<P> = (props: P) => Markup

/** Attributes that a browser follows or runs: only web addresses are allowed in them. */
const urlAttributes = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite', 'xlink:href'])
const safeUrl = /^(?:https?:|mailto:|[^a-z]|[a-z0-9+.-]*(?:[/?#]|$))/i
/** A picture within the page. An `<img>` runs nothing, also of an SVG, and the content policy allows nothing else with it. */
const dataPicture = /^data:image\/(?:svg\+xml|webp);base64,[\w+/=]*$/
const attributeName = /^[a-zA-Z][\w:-]*$/

/** `@elysiajs/html` builds the string, but does not escape its children: all that is not `Markup` is escaped first. */
export function jsx<P extends object>(type: string | Component<P>, props: P & { children?: Child }): Markup {
  if (typeof type === 'function') return type(props)
  const { children, ...attributes } = props
  const content = renderChild(children)
  const built = createElement(type, safeAttributes(attributes), ...(content === '' ? [] : [content]))
  return new Markup(String(built))
}

export { jsx as jsxDEV, jsx as jsxs }

export function Fragment({ children }: { children?: Child }): Markup {
  return new Markup(renderChild(children))
}

function safeAttributes(attributes: object): Record<string, string | number | true> {
  const safe: Record<string, string | number | true> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (!attributeName.test(name)) throw new TypeError(`"${name}" is no attribute name`)
    if (/^on/i.test(name)) throw new TypeError(`${name}: event attributes are not used, the CSP refuses them`)
    if (value === null || value === undefined || value === false) continue
    safe[name] = value === true ? true : escapeHtml(safeValue(name, String(value)))
  }
  return safe
}

function safeValue(name: string, value: string): string {
  if (!urlAttributes.has(name.toLowerCase()) || (name === 'src' && dataPicture.test(value))) return value
  // Browsers drop tabs and newlines inside a scheme, and controls before it.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is removed here
  const seen = value.replace(/[\u0000-\u0020]/g, '')
  return safeUrl.test(seen) ? value : '#'
}

/** The types of JSX expressions: any tag, plain attribute values, children that are escaped. */
export namespace JSX {
  export type Element = Markup
  export type ElementChildrenAttribute = { children: Child }
  export interface IntrinsicElements {
    [tag: string]: { children?: Child; [attribute: string]: Child }
  }
}
