/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

export interface Column<Row> {
  readonly head: string
  /** Classes of the cells. `c-main` and the like say where the cell stands in the card of a narrow screen. */
  readonly class?: string
  /** The heading is for screen readers only. */
  readonly hidesHead?: boolean
  readonly title?: (row: Row) => string
  readonly cell: (row: Row) => Child
}

export interface Table<Row> {
  /** Name of the region that scrolls; undefined if nothing in the table is wider than a screen. */
  readonly label?: string
  /** `stack` and `keys` show each row as a card on narrow screens. */
  readonly class: 'log' | 'log stack' | 'log keys' | 'keys'
  readonly columns: readonly Column<Row>[]
  readonly rows: Child
  /** An event stream whose events are further rows at the top, of which the table keeps `rowsMax`. */
  readonly feed?: { readonly path: string; readonly rowsMax: number } | undefined
}

/** A table that scrolls sideways by itself; the region makes that possible with a keyboard. */
export function scrollTable<Row>({ label, class: kind, columns, rows, feed }: Table<Row>): Markup {
  const region = label === undefined ? {} : { tabindex: '0', role: 'region', 'aria-label': label }
  return (
    <div class="scroll" data-feed={feed?.path} data-rows-max={feed?.rowsMax} {...region}>
      <table class={kind}>
        <thead>
          <tr>
            {columns.map(({ head, class: classes = '', hidesHead }) => (
              <th
                scope="col"
                class={classes.match(/\b(?:right|c-(?:tick|spark|made|act|extra))\b/g)?.join(' ')}
              >
                {hidesHead ? <span class="vh">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  )
}

/** Cells that are the heading of a row's card on narrow screens: they need no name. */
const headingCells = /\bc-(?:main|side|name|status|tick|act|spark|card)\b/

export function tableRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  attributes: { readonly title?: string; readonly class?: string | undefined } = {},
): Markup {
  return (
    <tr {...attributes}>
      {columns.map(({ head, class: classes, title, cell }) => (
        <td class={classes} data-l={headingCells.test(classes ?? '') ? undefined : head} title={title?.(row)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
