/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { siteAssets } from '../assets.ts'
import { picturePath } from '../pictures.ts'
import type { PictureFile } from '../sample-pictures.ts'
import { icon } from './icons.tsx'

/** More lines than these scroll; the style sheet has the same number. */
const linesShown = 20

export function codeBlock(label: string, code: string, className?: string): Markup {
  const isLong = code.split('\n').length > linesShown
  return textBlock(label, highlight(code), className ?? (isLong ? 'long' : undefined))
}

/** Preformatted text. Where it is longer than its box, that scrolls, with a keyboard too. */
export function textBlock(label: string, text: Child, className?: string): Markup {
  return (
    <pre class={className} tabindex="0" role="region" aria-label={label}>
      {text}
    </pre>
  )
}

function highlight(code: string): Child {
  return code
    .split(/("[^"\n]*"|(?:^|(?<=\n))(?:\/\/|#) .*)/)
    .map((part, index) =>
      index % 2 === 1 ? (
        <span class={part.startsWith('"') ? 's' : 'c'}>{breakable(part)}</span>
      ) : (
        breakable(part)
      ),
    )
}

export function copiedCode(label: string, code: string): Markup {
  const button = copyButton({ class: 'btn icon copy' }, <span class="vh">Copy</span>)
  return <div class="code">{[codeBlock(label, code), button]}</div>
}

/** Copies the text beside it, or that of the element whose id is `data-copy`. */
export function copyButton(
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  label = <span>Copy</span>,
): Markup {
  return (
    <button class="btn copy" type="button" data-copy {...attributes}>
      {[icon('copy'), label]}
    </button>
  )
}

/** A choice among tabs. `form="none"` keeps it out of any form around it. */
export function radioTab(name: string, value: string | number, label: string, isChecked: boolean): Markup {
  return (
    <label>
      <input type="radio" name={name} value={value} checked={isChecked} form="none" />
      {label}
    </label>
  )
}

/** Contents of a page that its script follows. */
export function contentsNav(entries: Child): Markup {
  return (
    <nav class="contents" aria-label="On this page">
      <script type="module" src={siteAssets.path('contents.js')} />
      {entries}
    </nav>
  )
}

export function linkList(links: readonly (readonly string[])[]): readonly Markup[] {
  return links.map(([href, label]) => <a href={href}>{label}</a>)
}

/** A name that links to its own entry, whose id is `id`. */
export function anchorTerm(id: string, name: string): Markup {
  const code = <code>{breakable(name)}</code>
  return <a href={`#${id}`}>{code}</a>
}

export type DescriptionRow = readonly [name: Child, value: Child, id?: string]

export function descriptionList(rows: readonly DescriptionRow[], kind = 'terms card'): Markup {
  return (
    <dl class={kind}>
      {rows.map(([name, value, id]) => (
        <div id={id}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function docsSearch(): Markup {
  return (
    <search>
      <script type="module" src={siteAssets.path('search.js')} />
      <input
        type="search"
        placeholder="Search"
        aria-label="Search the documentation"
        data-search="/docs/search.json"
        autocomplete="off"
      />
      <div class="found" role="status" hidden />
    </search>
  )
}

export function titledSection(id: string, title: string, lead: Child, children: Child): Markup {
  return (
    <section id={id}>
      <h2>{title}</h2>
      <p>{lead}</p>
      {children}
    </section>
  )
}

export function folded(summary: string, children: Child): Markup {
  return (
    <details class="folds">
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

/** Hides the terms of the list below it that do not have what is typed. */
export function filterField(label: string): Markup {
  return <input class="js-only" type="search" data-filter placeholder="Filter" aria-label={label} />
}

/** Lets long names and URLs break at their punctuation, and nowhere else, also not after the dashes of a flag or a header. */
export function breakable(code: string): Child {
  return code
    .split(/((?<![^\s([])(?:--?[A-Za-z][\w-]*|[A-Z][a-z]*(?:-[A-Z][a-z\d]*)+(?![^\s,:;)]))|[^\s"']{20,})/)
    .map((part, index) => {
      if (index % 2 === 0) return part
      if (part.startsWith('-') || /^[A-Z][A-Za-z\d-]{1,23}$/.test(part))
        return <span class="nowrap">{part}</span>
      return part
        .split(/(?<=[_/?=+,]|&amp;|&(?!amp;))(?=[\w%])|(?=\.[a-z])/)
        .flatMap((piece, place) => (place === 0 ? [piece] : [<wbr />, piece]))
    })
}

type Column = string | { readonly right: string }

export function tableHead(columns: readonly Column[]): Markup {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" class={typeof column === 'string' ? undefined : 'right'}>
            {typeof column === 'string' ? column : column.right}
          </th>
        ))}
      </tr>
    </thead>
  )
}

export function headedRow(head: Child, cells: Child): Markup {
  return (
    <tr>
      <th scope="row">{head}</th>
      {cells}
    </tr>
  )
}

export function referenceTable(label: string, columns: readonly Column[], rows: Child): Markup {
  return (
    <div class="card scroll" tabindex="0" role="region" aria-label={label}>
      <table class="parameters stack">
        {tableHead(columns)}
        <tbody>{rows}</tbody>
      </table>
    </div>
  )
}

interface Shown extends PictureFile {
  readonly class?: string
}

export function image({ alt, size, class: name, ...picture }: Shown): Markup {
  const [width, height] = [size?.widthPx, size?.heightPx].map((px) => px && Math.round(px))
  return (
    <img src={picturePath(picture)} width={width} height={height} alt={alt} loading="lazy" class={name} />
  )
}
