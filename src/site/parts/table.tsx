/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'

/** A column's heading; `right` aligns it with numbers. */
type Column = string | { readonly right: string }

export function tableHead(columns: readonly Column[]): Markup {
  return (
    <thead>
      <tr>{columns.map(heading)}</tr>
    </thead>
  )
}

function heading(column: Column): Child {
  if (typeof column === 'string') return <th scope="col">{column}</th>
  return (
    <th scope="col" class="right">
      {column.right}
    </th>
  )
}

/** A table of the reference, which scrolls sideways by itself. */
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
