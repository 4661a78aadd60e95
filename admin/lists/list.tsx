/** @jsxImportSource #jsx */
import type { Static, TObject } from '@sinclair/typebox'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import type { AdminDeps } from '../deps.ts'
import { type Column, dataTable, iconButton, linkButton, segments, submitButton } from '../parts/elements.tsx'
import { type AdminPage, adminPage, type Section } from '../parts/layout.tsx'
import type { AdminRequest } from '../session/guard.ts'
import { type CsvFile, csvResponse } from './csv.ts'

export interface Found<Row> {
  readonly rows: readonly Row[]
  readonly next?: string | number | undefined
  readonly isFirst?: boolean
}

export interface View<Query, Result> {
  readonly deps: AdminDeps
  readonly query: Query
  readonly found: Result
}

type Options = readonly (readonly [value: string, label: string])[]

export interface Filter<Query> {
  readonly name: keyof Query & string
  readonly label: string
  readonly options?: Options
}

interface ListTable<Query, Row, Shown> {
  readonly title: string
  readonly tabs?: { readonly name: keyof Query & string; readonly options: Options }
  readonly search?: { readonly placeholder: string; readonly label: string; readonly minLength?: number }
  readonly filters?: (view: Shown) => readonly Filter<Query>[] | Promise<readonly Filter<Query>[]>
  /** Name of the region that scrolls; undefined if the table is never wider than a screen. */
  readonly label?: string
  readonly columns: (view: Shown) => readonly Column<Row>[]
  readonly rowClass?: (row: Row) => string | undefined
  readonly empty: (view: Shown) => Child
  readonly foot?: (view: Shown) => Child
}

export interface ListPage<Query extends TObject, Row, More, Export extends TObject> {
  readonly path: string
  readonly section: Section
  readonly query: Query
  readonly cursor?: keyof Static<Query> & string
  readonly read: (deps: AdminDeps, query: Static<Query>) => Promise<(Found<Row> & More) | Response>
  readonly head: (view: View<Static<Query>, Found<Row> & More>) => Omit<AdminPage, 'section'>
  readonly above?: (view: View<Static<Query>, Found<Row> & More>) => Child | Promise<Child>
  readonly table?: ListTable<Static<Query>, Row, View<Static<Query>, Found<Row> & More>>
  readonly below?: (view: View<Static<Query>, Found<Row> & More>) => Child | Promise<Child>
  readonly csv?: {
    readonly query: Export
    readonly linked?: (query: Static<Query>) => Static<Export>
    readonly file: (deps: AdminDeps, query: Static<Export>) => CsvFile | Promise<CsvFile>
  }
}

export type ListRoutes = ReturnType<typeof defineList>

export function defineList<Query extends TObject, Row, More, Export extends TObject>(
  list: ListPage<Query, Row, More, Export>,
) {
  const { path, section, table, csv, cursor = '' } = list

  async function card(view: View<Static<Query>, Found<Row> & More>): Promise<Child> {
    if (table === undefined) return undefined
    const { title, tabs, search, label, rowClass } = table
    const { query, found } = view
    function queried(name: string): string {
      return String((query as Readonly<Record<string, unknown>>)[name] ?? '')
    }
    function href(changes: Readonly<Record<string, unknown>>): string {
      return hrefOf(path, list.query, { ...query, [cursor]: undefined, ...changes })
    }
    const shown = tabs?.options.map(([value, text]) => {
      return { href: href({ [tabs.name]: value }), label: text, isCurrent: value === query[tabs.name] }
    })
    const filters = (await table.filters?.(view))?.map((each) => filter(each, queried(each.name)))
    const isFirst = found.isFirst ?? href({}) === href({ [cursor]: query[cursor] })
    const links = [
      !isFirst && linkButton(href({}), 'First page'),
      found.next !== undefined && linkButton(href({ [cursor]: found.next }), 'Next'),
    ]
    const foot = table.foot?.(view)
    return (
      <section class="card" aria-labelledby="list">
        <header class={tabs ? undefined : 'vh'}>
          <h2 id="list">{title}</h2>
          {shown && segments('Show', shown)}
        </header>
        {(search || filters) && (
          <form class="tools row" role="search" action={path} method="get">
            {search && (
              <div class="search">
                {icon('search')}
                <input
                  type="search"
                  name="q"
                  value={queried('q')}
                  minlength={search.minLength}
                  placeholder={search.placeholder}
                  aria-label={search.label}
                />
              </div>
            )}
            {tabs && <input type="hidden" name={tabs.name} value={queried(tabs.name)} />}
            {filters}
            {submitButton('Apply')}
          </form>
        )}
        {found.rows.length === 0
          ? table.empty(view)
          : dataTable({ label, columns: table.columns(view), rows: found.rows, rowClass })}
        {(foot || links.some(Boolean)) && (
          <div class="pager row small muted">
            {foot}
            <div class="end row">{links}</div>
          </div>
        )}
      </section>
    )
  }

  return {
    path,
    query: list.query,
    async page(deps: AdminDeps, request: AdminRequest) {
      const query = request.query as Static<Query>
      const found = await list.read(deps, query)
      if (found instanceof Response) return found
      const view = { deps, query, found }
      const head = list.head(view)
      const exported = csv && (csv.linked?.(query) ?? query)
      const buttons = [
        csv && iconButton('download', hrefOf(`${path}.csv`, csv.query, exported), 'Export CSV'),
        head.buttons,
      ]
      return adminPage(deps, { ...head, section, buttons }, [
        await list.above?.(view),
        await card(view),
        await list.below?.(view),
      ])
    },
    csv: csv && {
      query: csv.query,
      async respond(deps: AdminDeps, { query }: AdminRequest) {
        return csvResponse(`${path.split('/').at(-1)}.csv`, await csv.file(deps, query as Static<Export>))
      },
    },
  }
}

export function hrefOf(path: string, query: TObject, values: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.keys(query.properties).flatMap((name) => {
    const value = values[name]
    const isUsual = value === undefined || value === '' || value === query.properties[name]?.['default']
    return isUsual ? [] : [[name, String(value)]]
  })
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export function emptyList(title: string, text: Child, action?: Child): Markup {
  return (
    <div class="empty grid">
      <h3>{title}</h3>
      {text && <p>{text}</p>}
      {action}
    </div>
  )
}

/** A value that is not offered any more is offered as long as it holds. */
function filter<Query>({ name, label, options }: Filter<Query>, current: string): Markup {
  if (options === undefined)
    return (
      <label class="day" title="A UTC day">
        {label}
        <input type="date" name={name} value={current} />
      </label>
    )
  const isOffered = current === '' || options.some(([value]) => value === current)
  return (
    <select name={name} aria-label={label}>
      {[...options, ...(isOffered ? [] : [[current, current] as const])].map(([value, text]) => (
        <option value={value} selected={value === current}>
          {text}
        </option>
      ))}
    </select>
  )
}
