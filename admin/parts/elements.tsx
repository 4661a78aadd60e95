/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { copyButton, type DescriptionRow, descriptionList } from '../../src/site/parts/elements.tsx'
import { type IconName, icon } from '../../src/site/parts/icons.tsx'
import type { KeyRow } from '../../src/store/keys.ts'

export function linkButton(href: string, label: Child, kind = 'btn'): Markup {
  return (
    <a class={kind} href={href}>
      {label}
    </a>
  )
}

export function iconButton(name: IconName, href: string, label: string, kind = 'btn'): Markup {
  return linkButton(href, [icon(name), label], kind)
}

export function submitButton(label: Child, kind = 'btn', attributes: Readonly<Record<string, string>> = {}) {
  return (
    <button class={kind} type="submit" {...attributes}>
      {label}
    </button>
  )
}

type Attributes = Readonly<Record<string, string | boolean>>

export function postForm(action: string, fields: Child, attributes: Attributes = {}): Markup {
  return (
    <form method="post" action={action} {...attributes}>
      {fields}
    </form>
  )
}

export function narrowForm(action: string, fields: Child, back: string, button: Markup): Markup {
  const actions = <div class="actions row">{[linkButton(back, 'Cancel'), button]}</div>
  return <section class="card panel narrow">{postForm(action, [fields, actions], { class: 'form' })}</section>
}

export function segments(
  label: string,
  links: readonly { readonly href: string; readonly label: string; readonly isCurrent: boolean }[],
): Markup {
  return (
    <div class="seg" role="group" aria-label={label}>
      {links.map(({ href, label: text, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </div>
  )
}

/** Copies the text of an element. Hidden by the style sheet until the script that it needs runs. */
export function copyButtonOf(elementId: string, label?: string): Markup {
  return copyButton({ 'data-copy': elementId, 'aria-label': label })
}

export function rowMenu(id: string, subject: string, actions: Child): Child {
  const button = { class: 'btn ghost icon', 'aria-label': `Actions for ${subject}` }
  return menu(id, button, icon('more'), actions)
}

export function menu(id: string, button: Readonly<Record<string, string>>, label: Child, links: Child) {
  return [
    <button type="button" popovertarget={`menu-${id}`} {...button}>
      {label}
    </button>,
    <div class="menu" popover id={`menu-${id}`}>
      {links}
    </div>,
  ]
}

export function panel(title: string, children: Child, beside?: Child, id?: string): Markup {
  return (
    <section class="card panel" id={id}>
      <header>
        <h2>{title}</h2>
        {beside}
      </header>
      {children}
    </section>
  )
}

export function statRow(stats: readonly (readonly [label: string, value: string, note?: Child])[]): Markup {
  return (
    <dl class="card kpis">
      {stats.map(([label, value, note]) => (
        <div>
          <dt>{label}</dt>
          <dd>
            {value} {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function descriptionCard(title: string, rows: readonly DescriptionRow[], foot?: Child): Markup {
  return panel(title, [descriptionList(rows, 'facts'), foot])
}

export function barList(
  lines: readonly { readonly name: Child; readonly value: Child; readonly bar?: Markup | false }[],
): Markup {
  return (
    <ul class="shares grid">
      {lines.map(({ name, value, bar: below }) => (
        <li>
          <span dir="auto">{name}</span>
          <span class="num">{value}</span>
          {below}
        </li>
      ))}
    </ul>
  )
}

export function barCard(
  title: string,
  list: readonly { readonly name: string; readonly count: number }[],
  empty: Child,
): Markup {
  if (list.length === 0) return panel(title, <p class="muted small">{empty}</p>)
  const countMax = Math.max(1, ...list.map(({ count }) => count))
  const lines = list.map(({ name, count }) => ({
    name,
    value: formatCount(count),
    bar: bar(Math.round((count / countMax) * 100)),
  }))
  return panel(title, barList(lines))
}

export function meter(used: number, limit: number): Markup {
  const percent = limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100))
  return bar(percent, percent >= 100 ? 'meter bad' : percent >= 80 ? 'meter warn' : 'meter')
}

function bar(percent: number, kind = 'meter'): Markup {
  return (
    <svg class={kind} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="t" width="100" height="6" />
      <rect class="f" width={percent} height="6" />
    </svg>
  )
}

export function usedOf(used: number, limit: number | null): Child {
  return [formatCount(used), ' ', <span class="muted">{limitText(limit)}</span>]
}

export function limitText(limit: number | null): string {
  return limit === null ? 'no limit' : `of ${formatCount(limit)}`
}

export type Tone = 'ok' | 'warn' | 'bad' | 'plain'

export function pill(text: string, tone: Tone): Markup {
  return <span class={`pill ${tone === 'plain' ? '' : tone}`}>{text}</span>
}

/** A small card that was drawn before. The text beside it names it, so it needs none of its own. */
export function thumbnail(source: string): Markup {
  return <img class="thumbnail" src={source} width="1200" height="630" alt="" loading="lazy" />
}

export function keyLink(id: string, name: string): Markup {
  return (
    <a href={`/admin/keys/${id}`} dir="auto">
      {name}
    </a>
  )
}

export function nameLink(section: 'keys' | 'brands', id: string, name: string): Child {
  return [
    <a class="name" href={`/admin/${section}/${id}`} dir="auto">
      {name}
    </a>,
    <span class="id mono">{id}</span>,
  ]
}

export function keyNames(keys: readonly KeyRow[], count: number, anchor = ''): Markup {
  return (
    <ul class="names">
      {keys.map(({ id, name }) => (
        <li>
          {keyLink(`${id}${anchor}`, name || 'Untitled')} <code class="muted">{id}</code>
        </li>
      ))}
      {count > keys.length && <li>and {formatCount(count - keys.length)} more</li>}
    </ul>
  )
}

export function keysOf<Table extends object>(table: Table) {
  return Object.keys(table) as (keyof Table & string)[]
}

export interface Column<Row> {
  readonly head: string
  /**
   * Place of the cell: `main` and `side` head the card that a row becomes on narrow screens, `tool` is as narrow as its
   * content, `wide` shows where there is room, and `right` is for numbers.
   */
  readonly class?: string
  readonly hidesHead?: boolean
  readonly title?: (row: Row) => string
  readonly cell: (row: Row) => Child
}

interface Table<Row> {
  readonly label?: string | undefined
  /** False: on narrow screens the rows stay rows, and the table scrolls. */
  readonly isStacked?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowClass?: ((row: Row) => string | undefined) | undefined
}

/** A table that scrolls sideways by itself; the region makes that possible with a keyboard. */
export function dataTable<Row>({ label, isStacked = true, columns, rows, rowClass }: Table<Row>): Markup {
  const region = label === undefined ? {} : { tabindex: '0', role: 'region', 'aria-label': label }
  return (
    <div class="scroll" {...region}>
      <table class={isStacked ? 'stack' : undefined}>
        <thead>
          <tr>
            {columns.map(({ head, class: classes = '', hidesHead }) => (
              <th scope="col" class={classes.match(/\b(?:right|tool|wide)\b/g)?.join(' ')}>
                {hidesHead ? <span class="vh">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={rowClass?.(row)}>
              {columns.map(({ head, class: classes, title, cell }) => (
                <td
                  class={classes}
                  data-label={/\b(?:main|side|tool)\b/.test(classes ?? '') ? undefined : head}
                  title={title?.(row)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
