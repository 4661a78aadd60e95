/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { type Operation, operationsIn } from '../openapi/operation.ts'
import { tableHead } from '../parts/table-head.tsx'

/** The operations of one section of the reference. */
export function operationTable(section: Operation['tags'][0], operations: readonly Operation[]): Markup {
  return (
    <div class="card scroll-x" tabindex="0" role="region" aria-label={`Paths: ${section}`}>
      <table class="parameters">
        {tableHead(['Request', 'What it answers', 'Parameters'])}
        <tbody>
          {operationsIn(section, operations).map(({ method, path, summary, query }) => (
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
          ))}
        </tbody>
      </table>
    </div>
  )
}
