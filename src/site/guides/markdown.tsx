/** @jsxImportSource #jsx */
import { lexer, type Token, type Tokens } from 'marked'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { fill, textParts } from '../../lib/texts.ts'
import { breakable, copiedCode, descriptionList, referenceTable } from '../parts/elements.tsx'
import referenceSource from '../texts/reference.md' with { type: 'text' }

export function guidePicture(src: string, alt: string): Markup {
  return <img src={src} alt={alt} width="560" height="294" loading="lazy" />
}

export type RenderedMarkdown = ReturnType<typeof renderMarkdown>

export type LinkResolver = (href: string) => string | undefined

/** Differences between guides and our other texts. */
interface Rules {
  readonly link: LinkResolver
  readonly code: (token: Tokens.Code, place: number | string) => Child
  readonly word: (text: string) => Child
}

interface Additions {
  readonly picture?: Child
  /** Anchors that lead to a heading, too. */
  readonly oldAnchors?: Readonly<Record<string, string>> | undefined
  readonly afterCode?: (token: Tokens.Code) => Child
}

/** Anchors are named as GitHub names them, so that links hold in both places. HTML in the source is shown as text. */
export function renderMarkdown(
  source: string,
  resolveLink: LinkResolver,
  { picture, oldAnchors = {}, afterCode }: Additions = {},
) {
  const rules: Rules = {
    link: resolveLink,
    code: (token, place) => [copiedCode(`Code ${place}`, token.text), afterCode?.(token)],
    word: breakable,
  }
  const ids = new Map<string, number>()
  const sections: { id: string; text: string; words: string }[] = []
  const headings: { id: string; text: string }[] = []

  function heading({ depth, tokens }: Tokens.Heading): Markup {
    const text = plainText(tokens)
    const id = uniqueId(text, ids)
    sections.push({ id, text, words: '' })
    const content = inline(tokens, rules)
    if (depth === 1) return <h1 id={id}>{content}</h1>
    if (depth === 2) headings.push({ id, text })
    const old = Object.keys(oldAnchors).filter((name) => oldAnchors[name] === id)
    const linked = [old.map((name) => <span id={name} />), content, ' ', anchor(id)]
    return depth === 2 ? <h2 id={id}>{linked}</h2> : <h3 id={id}>{linked}</h3>
  }

  const tokens = lexer(source)
  const introduction = tokens.findIndex(({ type }) => type === 'paragraph')
  const blocks = tokens.map((token, place) => {
    if (token.type === 'heading') return heading(token as Tokens.Heading)
    const section = sections.at(-1)
    if (section !== undefined) section.words += `${plainText([token])} `
    const content = block(token, rules, place)
    return place === introduction ? [content, picture] : content
  })
  return {
    title: sections[0]?.text ?? '',
    body: <article class="guide">{blocks}</article>,
    /** Headings of the second level, for a list of contents. */
    headings,
    /** Sections for a search: headings of any level with the plain text below them. The first has the page's title. */
    sections,
  }
}

export function prose(source: string): Child {
  const rules: Rules = {
    link: (href) => href,
    code: ({ lang = '', text }) => copiedCode(lang, text),
    word: (text) => text,
  }
  return lexer(source).map((token, place) => block(token, rules, place))
}

/** Renders what is not a heading of a guide; `place` names blocks of code apart for screen readers. */
function block(token: Token, rules: Rules, place: number | string): Child {
  switch (token.type) {
    case 'heading': {
      const content = inline(token.tokens ?? [], rules)
      return [<h1>{content}</h1>, <h2>{content}</h2>, <h3>{content}</h3>][(token as Tokens.Heading).depth - 1]
    }
    case 'paragraph':
      return <p>{inline(token.tokens ?? [], rules)}</p>
    case 'code':
      return rules.code(token as Tokens.Code, place)
    case 'list':
      return list(token as Tokens.List, rules, place)
    case 'table':
      return table(token as Tokens.Table, rules)
    case 'space':
      return ''
    default:
      return inline([token], rules)
  }
}

function list({ ordered, items }: Tokens.List, rules: Rules, place: number | string): Markup {
  const rows = items.map(({ tokens }, index) => (
    <li>{tokens.map((token, inner) => block(token, rules, `${place}.${index}.${inner}`))}</li>
  ))
  return ordered ? <ol>{rows}</ol> : <ul>{rows}</ul>
}

/** Tables with more columns than these become lists of their rows, because no page is wide enough for them. */
const columnsMax = 5

function table({ header, rows }: Tokens.Table, rules: Rules): Markup {
  const columns = header.map(({ tokens }) => plainText(tokens))
  if (columns.length > columnsMax)
    return descriptionList(
      rows.map((row) => {
        const [name, ...rest] = row.map(({ tokens }) => inline(tokens, rules))
        const parts = rest.map((cell, index) => <li>{[columns[index + 1], ': ', cell]}</li>)
        return [name, <ul>{parts}</ul>]
      }),
    )
  return referenceTable(
    columns.join(', '),
    columns,
    rows.map((row) => (
      <tr>
        {row.map(({ tokens }, index) => (
          <td data-label={index === 0 ? undefined : columns[index]}>{inline(tokens, rules)}</td>
        ))}
      </tr>
    )),
  )
}

function inline(tokens: readonly Token[], rules: Rules): readonly Child[] {
  return tokens.map((token) => {
    const children = inline(('tokens' in token && token.tokens) || [], rules)
    switch (token.type) {
      case 'strong':
        return <b>{children}</b>
      case 'em':
        return <em>{children}</em>
      case 'codespan':
        return <code>{rules.word(token['text'])}</code>
      case 'br':
        return <br />
      case 'link': {
        const href = rules.link((token as Tokens.Link).href)
        if (href === undefined) return children
        const link = <a href={href}>{children}</a>
        return href.endsWith('.svg') ? [link, guidePicture(href, plainText(token.tokens ?? []))] : link
      }
      default:
        return children.length > 0 ? children : text(token)
    }
  })
}

function anchor(id: string): Markup {
  return (
    <a class="anchor" href={`#${id}`} aria-label="Link to this section">
      #
    </a>
  )
}

/** The characters of a token without children. The lexer leaves character references as they are written. */
function text(token: Token): string {
  return 'text' in token ? String(token['text']) : token.raw
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(plainTextOf).join('').replace(/\s+/g, ' ').trim()
}

function plainTextOf(token: Token): string {
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainTextOf(item)).join(' ')
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows]
      .flat()
      .map((cell) => plainText(cell.tokens))
      .join(' ')
  }
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0)
    return token.tokens.map(plainTextOf).join('')
  return text(token)
}

/** Lower case, letters, digits, `_` and `-` only, spaces as `-`; a repeated one gets a number. */
function uniqueId(heading: string, seen: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
  const count = seen.get(id) ?? 0
  seen.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

const referenceParts = textParts(referenceSource)

/** Returns a function that renders a part of `reference.md`. */
export function referenceText(values: Readonly<Record<string, string | number>>) {
  return (name: string): Child => prose(fill(referenceParts.get(name) ?? '', values))
}
