/** @jsxImportSource #jsx */
import { type Child, Markup } from '../../lib/jsx/markup.ts'

/** A column's heading; `right` aligns it with numbers. */
export type Column = string | Markup | { readonly right: string }

export function tableHead(columns: readonly Column[]): Markup {
  return (
    <thead>
      <tr>{columns.map(heading)}</tr>
    </thead>
  )
}

function heading(column: Column): Child {
  if (typeof column === 'string' || column instanceof Markup) return <th scope="col">{column}</th>
  return (
    <th scope="col" class="right">
      {column.right}
    </th>
  )
}
