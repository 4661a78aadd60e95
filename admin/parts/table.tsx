/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

export interface Column<Row> {
  readonly head: string
  /**
   * Place of the cell: `main` and `side` head the card that a row becomes on narrow screens, `tool` is as narrow as its
   * content, `wide` shows where there is room, and `right` is for numbers.
   */
  readonly class?: string
  /** The heading is for screen readers only. */
  readonly hidesHead?: boolean
  readonly title?: (row: Row) => string
  readonly cell: (row: Row) => Child
}

export interface Table<Row> {
  /** Name of the region that scrolls; undefined if nothing in the table is wider than a screen. */
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
