import { Parser } from 'htmlparser2'
import { PathTooCostly, type pathMistake } from './json-path.ts'

/** An element of a document, the root above its first element, a text or an attribute: these two have a text and no children. */
export interface XmlNode {
  readonly name: string
  text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
  readonly parent: XmlNode | undefined
  readonly order: number
}

/** No element has this name, because it has a space. */
const textName = 'a text'
const depthMax = 100
const elementsMax = 200_000
const stepsMax = 400_000

/** Reads XML. Throws RangeError for what is not well-formed, declares entities or is too large. */
export function readXml(text: string): XmlNode {
  const source = withoutSubset(text)
  const root: XmlNode = { name: '', text: '', attributes: {}, children: [], parent: undefined, order: 0 }
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
        opened = { name, text: '', attributes, children: [], parent: at, order: elements }
        at.children.push(opened)
        at = opened
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
        const last = at.children.at(-1)
        if (last?.name === textName) last.text += data
        else if (at !== root) at.children.push(leaf(textName, data, at))
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

function leaf(name: string, text: string, parent: XmlNode): XmlNode {
  return { name, text, attributes: {}, children: [], parent, order: parent.order }
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

type Condition = (node: XmlNode, position: number, count: number) => boolean

interface Step {
  readonly axis: keyof typeof axes
  /** A name, compared without its prefix, `*` or `textName`; undefined for every node. */
  readonly test?: string
  readonly conditions?: readonly Condition[]
}

/** The mistake in a path, as the end of a sentence; undefined if there is none. With a function or an axis of XPath it is right elsewhere. */
export function xmlPathMistake(path: string): ReturnType<typeof pathMistake> {
  try {
    parsePath(path, () => {})
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = `is no path of elements and attributes, as /project/version or //Version/@x: ${error.message}`
    return { message, isPattern: /\w\s*\(|::|\|/.test(path) }
  }
}

/** The texts that a path finds, in order; undefined for an element of elements. Throws PathTooCostly and SyntaxError. */
export function findInTree(root: XmlNode, path: string): readonly (string | undefined)[] {
  let stepsLeft = stepsMax
  function spend(steps: number): void {
    stepsLeft -= steps
    if (stepsLeft < 0) throw new PathTooCostly('The path takes too many steps.')
  }
  return walk([root], parsePath(path, spend), spend)
    .toSorted((one, other) => one.order - other.order)
    .map(scalarOf)
}

type Spend = (steps: number) => void

const axes = {
  self: (node: XmlNode) => [node],
  parent: ({ parent }: XmlNode) => (parent === undefined ? [] : [parent]),
  attribute: (node: XmlNode) => Object.entries(node.attributes).map(([name, text]) => leaf(name, text, node)),
  child: ({ children }: XmlNode) => children,
  descendant: (node: XmlNode, spend: Spend): readonly XmlNode[] => [...elementsIn(node, spend)],
}

function walk(from: readonly XmlNode[], steps: readonly Step[], spend: Spend): readonly XmlNode[] {
  let nodes = from
  for (const { axis, test, conditions = [] } of steps) {
    const next = new Set<XmlNode>()
    for (const node of nodes) {
      spend(axis === 'child' ? 1 + node.children.length : 1)
      let found = axes[axis](node, spend).filter(({ name }) => isNamed(name, test))
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

function* elementsIn(element: XmlNode, spend: Spend): Generator<XmlNode> {
  spend(1)
  yield element
  for (const child of element.children) if (child.name !== textName) yield* elementsIn(child, spend)
}

function isNamed(name: string, test: string | undefined): boolean {
  if (test === undefined || name === test) return true
  return name !== textName && (test === '*' || localName(name) === localName(test))
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function textOf({ text, children }: XmlNode, spend: Spend): string {
  spend(1)
  return text + children.map((child) => child.text || textOf(child, spend)).join('')
}

/** The text of a node; undefined for an element that has elements alone. */
function scalarOf(node: XmlNode): string | undefined {
  const { children } = node
  const isText = children.some(({ text }) => text.trim() !== '')
  const isLeaf = children.every(({ name }) => name === textName)
  return isText || isLeaf ? textOf(node, () => {}).trim() : undefined
}

const token =
  /\s*(?:\/\/?|\.\.?|[@*[\](),]|!?=|and\b|or\b|"[^"]*"|'[^']*'|\d+|(?:[\p{L}_][\p{L}\p{N}_.-]*:)?[\p{L}_][\p{L}\p{N}_.-]*)/guy

/** Reads a path: a small part of XPath 1.0. Throws SyntaxError. */
function parsePath(path: string, spend: Spend): readonly Step[] {
  const pieces = path.match(token) ?? []
  const rest = path.slice(pieces.join('').length)
  if (rest.trim() !== '') throw new SyntaxError(`"${rest.slice(0, 20)}" is not read here`)
  const tokens = pieces.map((piece) => piece.trim())
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

  /** Takes the name of a function and the bracket behind it. */
  function takeCall(...names: readonly string[]): string | undefined {
    const called = tokens[at + 1] === '(' ? take(...names) : undefined
    if (called !== undefined) need('(')
    return called
  }

  function steps(): readonly Step[] {
    const found: Step[] = []
    for (let isFirst = true; ; isFirst = false) {
      const slash = take('/', '//')
      if (slash === undefined && !isFirst) return found
      if (slash === '//') found.push({ axis: 'descendant' })
      found.push(step())
    }
  }

  function step(): Step {
    if (take('..') !== undefined) return { axis: 'parent' }
    if (take('.') !== undefined) return { axis: 'self' }
    const axis = take('@') === undefined ? 'child' : 'attribute'
    const name = tokens[at] ?? ''
    if (!/^[\p{L}_*]/u.test(name)) throw new SyntaxError(`a name is missing before "${name}"`)
    at += 1
    const isText = take('(') !== undefined
    if (isText) need(')')
    if (isText && (name !== 'text' || axis !== 'child')) throw new SyntaxError(`${name}() is not read here`)
    const conditions: Condition[] = []
    while (take('[') !== undefined) {
      conditions.push(condition())
      need(']')
    }
    return { axis, test: isText ? textName : name, conditions }
  }

  function condition(): Condition {
    let holds = comparison()
    for (;;) {
      const left = holds
      if (take('and') !== undefined) {
        const right = comparison()
        holds = (...all) => left(...all) && right(...all)
      } else if (take('or') !== undefined) {
        const right = comparison()
        holds = (...all) => left(...all) || right(...all)
      } else return holds
    }
  }

  function comparison(): Condition {
    const called = takeCall('last', 'position', 'not', 'contains', 'starts-with')
    if (called === 'not') {
      const inner = condition()
      need(')')
      return (...all) => !inner(...all)
    }
    if (called === 'contains' || called === 'starts-with') {
      const values = operand()
      need(',')
      const wanted = literal()
      need(')')
      const method = called === 'contains' ? 'includes' : 'startsWith'
      return (node) => (values(node)[0] ?? '')[method](wanted)
    }
    if (called !== undefined) need(')')
    if (called === 'last') return (_, position, count) => position === count
    if (called === 'position') need('=')
    if (called === 'position' || /^\d/.test(tokens[at] ?? '')) {
      const wanted = Number(tokens[at++])
      return (_, position) => position === wanted
    }
    const values = operand()
    const operator = take('=', '!=')
    if (operator === undefined) return (node) => values(node).length > 0
    const wanted = literal()
    return (node) => values(node).some((value) => (value === wanted) === (operator === '='))
  }

  /** The texts of a name, an attribute or a path from a node. */
  function operand(): (node: XmlNode) => readonly string[] {
    const called = takeCall('name', 'local-name')
    if (called !== undefined) {
      need(')')
      return ({ name }) => [called === 'name' ? name : localName(name)]
    }
    const inner = steps()
    return (node) => walk([node], inner, spend).map((each) => textOf(each, spend).trim())
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
