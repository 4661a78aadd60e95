import { Parser } from 'htmlparser2'
import { PathTooCostly } from './json-path.ts'

/** An element of a document, or the root above its first element. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (XmlElement | string)[]
  readonly parent: XmlElement | undefined
  readonly order: number
}

const depthMax = 100
const elementsMax = 200_000
const stepsMax = 400_000

/** Reads XML. Throws RangeError for what is not well-formed, declares entities or is too large. */
export function readXml(text: string): XmlElement {
  const source = withoutSubset(text)
  const root: XmlElement = { name: '', attributes: {}, children: [], parent: undefined, order: 0 }
  let at = root
  let opened = root
  let depth = 0
  let elements = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        elements += 1
        if (depth > depthMax) throw new RangeError('The document has too many levels.')
        if (elements > elementsMax) throw new PathTooCostly('The document has too many elements.')
        if (at === root && root.children.length > 0) throw new RangeError('The document has several roots.')
        const element: XmlElement = { name, attributes, children: [], parent: at, order: elements }
        at.children.push(element)
        at = element
        opened = element
      },
      onclosetag(_, isImplied) {
        // An element that closes itself counts as closed by implication.
        const isEmpty = at === opened && source[parser.endIndex - 1] === '/'
        if (isImplied && !isEmpty) throw new RangeError('An element is not closed.')
        depth -= 1
        at = at.parent ?? root
      },
      ontext(data) {
        if (at === root && data.trim() !== '') throw new RangeError('There is text outside of the document.')
        const { children } = at
        const last = children.at(-1)
        if (at !== root && typeof last === 'string') children[children.length - 1] = last + data
        else if (at !== root) children.push(data)
      },
      onprocessinginstruction(_, data) {
        if (/!ENTITY/i.test(data)) throw new RangeError('The document declares entities.')
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(source)
  if (root.children.length === 0) throw new RangeError('There is no element.')
  return root
}

/** XML without its document type where that describes elements in brackets, which the parser would take for text. */
function withoutSubset(text: string): string {
  const prolog = text.slice(0, Math.max(0, text.search(/<[\p{L}_]/u)))
  const start = prolog.search(/<!DOCTYPE[^>]*\[/i)
  if (start < 0) return text
  const end = prolog.lastIndexOf('>')
  if (/<!ENTITY/i.test(prolog)) throw new RangeError('The document declares entities.')
  return prolog.slice(0, start) + prolog.slice(end + 1) + text.slice(prolog.length)
}

type Node = XmlElement | { readonly owner: XmlElement; readonly text: string }

type Condition = (node: Node, position: number, count: number) => boolean

interface Step {
  readonly axis: 'child' | 'descendant' | 'attribute' | 'self' | 'parent'
  /** `*`, `text()` or a name; names compare without their prefix. */
  readonly test: string
  readonly conditions: readonly Condition[]
}

/** The mistake in a path, as the end of a sentence; undefined if there is none. */
export function xmlPathMistake(path: string): string | undefined {
  try {
    parsePath(path, () => {})
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `is no path of elements and attributes, as /project/version or //Version/@x: ${error.message}`
  }
}

/** The texts that a path finds, in order; undefined for an element of elements. Throws PathTooCostly and SyntaxError. */
export function findInTree(root: XmlElement, path: string): readonly (string | undefined)[] {
  let stepsLeft = stepsMax
  function spend(steps: number): void {
    stepsLeft -= steps
    if (stepsLeft < 0) throw new PathTooCostly('The path takes too many steps.')
  }
  return [...walk([root], parsePath(path, spend), spend)]
    .sort((one, other) => orderOf(one) - orderOf(other))
    .map(scalarOf)
}

function orderOf(node: Node): number {
  return 'owner' in node ? node.owner.order : node.order
}

type Spend = (steps: number) => void

function walk(from: readonly Node[], steps: readonly Step[], spend: Spend): readonly Node[] {
  let nodes = from
  for (const { axis, test, conditions } of steps) {
    const next = new Set<Node>()
    for (const node of nodes) {
      let found = onAxis(node, axis, test, spend)
      for (const condition of conditions) {
        const { length } = found
        spend(length)
        found = found.filter((each, index) => condition(each, index + 1, length))
      }
      for (const each of found) next.add(each)
    }
    nodes = [...next]
  }
  return nodes
}

function onAxis(node: Node, axis: Step['axis'], test: string, spend: Spend): readonly Node[] {
  spend(1)
  if (axis === 'self') return [node]
  if ('owner' in node) return axis === 'parent' ? [node.owner] : []
  if (axis === 'parent') return node.parent === undefined ? [] : [node.parent]
  if (axis === 'descendant') return [...descendants(node, spend)]
  if (axis === 'attribute')
    return Object.entries(node.attributes).flatMap(([name, text]) =>
      isNamed(name, test) ? [{ owner: node, text }] : [],
    )
  spend(node.children.length)
  return node.children.flatMap((child): readonly Node[] => {
    if (typeof child === 'string') return test === 'text()' ? [{ owner: node, text: child }] : []
    return test !== 'text()' && isNamed(child.name, test) ? [child] : []
  })
}

function* descendants(element: XmlElement, spend: Spend): Generator<XmlElement> {
  spend(1)
  yield element
  for (const child of element.children) if (typeof child !== 'string') yield* descendants(child, spend)
}

function isNamed(name: string, test: string): boolean {
  return test === '*' || name === test || localName(name) === localName(test)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function textOf(node: Node, spend: Spend): string {
  spend(1)
  if ('owner' in node) return node.text
  return node.children.map((child) => (typeof child === 'string' ? child : textOf(child, spend))).join('')
}

/** The text of a node; undefined for an element that has elements alone. */
function scalarOf(node: Node): string | undefined {
  if ('owner' in node) return node.text.trim()
  const isText = node.children.some((child) => typeof child === 'string' && child.trim() !== '')
  const isLeaf = node.children.every((child) => typeof child === 'string')
  return isText || isLeaf ? textOf(node, () => {}).trim() : undefined
}

const token =
  /\s*(?:(\/\/?|\.\.?|@|\*|\[|\]|\(|\)|,|!?=|and\b|or\b)|("[^"]*"|'[^']*')|(\d+)|((?:[\p{L}_][\p{L}\p{N}_.-]*:)?[\p{L}_][\p{L}\p{N}_.-]*)|$)/uy

/** Reads a path: a small part of XPath 1.0. Throws SyntaxError. */
function parsePath(path: string, spend: Spend): readonly Step[] {
  const tokens = tokensOf(path)
  let at = 0

  function take(...wanted: readonly string[]): string | undefined {
    const next = tokens[at]
    if (next === undefined || !wanted.includes(next)) return undefined
    at += 1
    return next
  }

  function need(wanted: string): void {
    if (take(wanted) === undefined)
      throw new SyntaxError(`"${wanted}" is missing before "${tokens[at] ?? ''}"`)
  }

  function name(): string {
    const next = tokens[at] ?? ''
    if (!/^[\p{L}_*]/u.test(next)) throw new SyntaxError(`a name is missing before "${next}"`)
    at += 1
    return next
  }

  function steps(): readonly Step[] {
    const found: Step[] = []
    for (let isFirst = true; ; isFirst = false) {
      const slash = take('/', '//')
      if (slash === undefined && !isFirst) return found
      if (slash === '//') found.push({ axis: 'descendant', test: '*', conditions: [] })
      found.push(step())
    }
  }

  function step(): Step {
    if (take('..') !== undefined) return { axis: 'parent', test: '*', conditions: [] }
    if (take('.') !== undefined) return { axis: 'self', test: '*', conditions: [] }
    const axis = take('@') === undefined ? 'child' : 'attribute'
    let test = name()
    if (take('(') !== undefined) {
      need(')')
      if (test !== 'text' || axis !== 'child') throw new SyntaxError(`${test}() is not read here`)
      test = 'text()'
    }
    const conditions: Condition[] = []
    while (take('[') !== undefined) {
      conditions.push(condition())
      need(']')
    }
    return { axis, test, conditions }
  }

  function condition(): Condition {
    let holds = comparison()
    for (;;) {
      const operator = take('and', 'or')
      if (operator === undefined) return holds
      const [left, right] = [holds, comparison()]
      holds =
        operator === 'and'
          ? (...all) => left(...all) && right(...all)
          : (...all) => left(...all) || right(...all)
    }
  }

  function comparison(): Condition {
    const next = tokens[at] ?? ''
    const called = tokens[at + 1] === '(' ? next : undefined
    if (/^\d/.test(next)) return place()
    if (called === 'last') {
      call()
      return (_, position, count) => position === count
    }
    if (called === 'not') {
      at += 2
      const inner = condition()
      need(')')
      return (...all) => !inner(...all)
    }
    if (called === 'contains' || called === 'starts-with') return textual(called)
    if (called === 'position') {
      call()
      need('=')
      return place()
    }
    const values = operand()
    const operator = take('=', '!=')
    if (operator === undefined) return (node) => values(node).length > 0
    const wanted = literal()
    return (node) => values(node).some((value) => (value === wanted) === (operator === '='))
  }

  function place(): Condition {
    const wanted = Number(tokens[at++])
    return (_, position) => position === wanted
  }

  function textual(test: 'contains' | 'starts-with'): Condition {
    at += 2
    const values = operand()
    need(',')
    const wanted = literal()
    need(')')
    return (node) => {
      const [value = ''] = values(node)
      return test === 'contains' ? value.includes(wanted) : value.startsWith(wanted)
    }
  }

  /** The texts of a name, an attribute or a path from a node. */
  function operand(): (node: Node) => readonly string[] {
    const next = tokens[at] ?? ''
    if (tokens[at + 1] === '(' && (next === 'local-name' || next === 'name')) {
      call()
      return (node) => ('owner' in node ? [] : [next === 'name' ? node.name : localName(node.name)])
    }
    const inner = steps()
    return (node) => walk([node], inner, spend).map((each) => textOf(each, spend).trim())
  }

  function call(): void {
    at += 1
    need('(')
    need(')')
  }

  function literal(): string {
    const next = tokens[at] ?? ''
    at += 1
    if (/^["']/.test(next)) return next.slice(1, -1)
    if (/^\d/.test(next)) return next
    throw new SyntaxError(`a text in quotes is missing before "${next}"`)
  }

  const found = steps()
  if (at < tokens.length) throw new SyntaxError(`"${tokens[at] ?? ''}" is not expected`)
  return found
}

function tokensOf(path: string) {
  const tokens: string[] = []
  for (token.lastIndex = 0; token.lastIndex < path.length; ) {
    const start = token.lastIndex
    const [whole, ...groups] = token.exec(path) ?? []
    if (whole === undefined) throw new SyntaxError(`"${path.slice(start, start + 20)}" is not read here`)
    const found = groups.find((group) => group !== undefined)
    if (found !== undefined) tokens.push(found)
  }
  return tokens
}
