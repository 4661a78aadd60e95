/** One element of a parsed document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const nameForm = '[A-Za-z_:][\\w:.-]*'
const attribute = new RegExp(`\\s+(${nameForm})\\s*=\\s*(?:"([^<"]*)"|'([^<']*)')`, 'y')
const entity = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-fA-F]+));/g
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Reads a document without DTD, comments or instructions. Throws on whatever XML 1.0 calls ill-formed. */
export function parseXml(source: string): XmlElement {
  if (illegal.test(source)) throw new Error(`illegal character in ${source}`)
  let at = 0
  function fail(what: string): never {
    throw new Error(`${what} at ${at}: ${source.slice(at, at + 60)}`)
  }

  function element(): XmlElement {
    const open = new RegExp(`<(${nameForm})`, 'y')
    open.lastIndex = at
    const name = open.exec(source)?.[1] ?? fail('expected an element')
    at = open.lastIndex
    const attributes: Record<string, string> = {}
    for (;;) {
      attribute.lastIndex = at
      const match = attribute.exec(source)
      if (!match) break
      const [all, key = '', double, single] = match
      if (key in attributes) fail(`attribute ${key} twice`)
      attributes[key] = decoded(double ?? single ?? '')
      at += all.length
    }
    const end = /\s*(\/?)>/y
    end.lastIndex = at
    const closed = end.exec(source) ?? fail('expected the end of a tag')
    at = end.lastIndex
    if (closed[1] === '/') return { name, attributes, children: [] }
    const children: (XmlElement | string)[] = []
    while (!source.startsWith('</', at)) {
      const next = source.indexOf('<', at)
      if (next < 0) fail(`unclosed ${name}`)
      if (next > at) children.push(decoded(source.slice(at, next)))
      at = next
      if (!source.startsWith('</', at)) children.push(element())
    }
    if (!source.startsWith(`</${name}>`, at)) fail(`expected </${name}>`)
    at += name.length + 3
    return { name, attributes, children }
  }

  function decoded(text: string): string {
    if (text.replace(entity, '').includes('&') || text.includes(']]>')) fail('bare ampersand')
    return text.replace(entity, (_, name, decimal, hex) =>
      name ? (named[name] ?? '') : String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal ? 10 : 16)),
    )
  }

  const root = element()
  if (at !== source.length) fail('content after the root')
  return root
}

/** The element and all below it, in document order. */
export function* walk(root: XmlElement): Generator<XmlElement> {
  yield root
  for (const child of root.children) if (typeof child !== 'string') yield* walk(child)
}

export function textOf(root: XmlElement): string {
  return root.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}
