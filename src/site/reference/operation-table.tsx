/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { operationsIn, type RouteOperation } from '../openapi/operation.ts'
import { referenceTable } from '../parts/table.tsx'

/** The operations of one section of the reference. */
export function operationTable(
  section: RouteOperation['tags'][0],
  operations: readonly RouteOperation[],
): Markup {
  const rows = operationsIn(section, operations).map(({ method, path, summary, query }) => (
    <tr>
      <th scope="row">
        <code>
          {method} {path}
        </code>
      </th>
      <td>{summary}</td>
      <td class="muted small" data-label="Parameters">
        {Object.keys(query?.properties ?? {}).join(', ') || '–'}
      </td>
    </tr>
  ))
  return referenceTable(`Paths: ${section}`, ['Request', 'What it answers', 'Parameters'], rows)
}
