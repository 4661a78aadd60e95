/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { tableHead } from '../parts/table-head.tsx'
import { type Operation, operations } from './operations.ts'

/** The operations of one section of the reference. */
export function operationTable(section: Operation['section']): Markup {
  return (
    <div class="card scroll-x" tabindex="0" role="region" aria-label={`Paths: ${section}`}>
      <table class="parameters">
        {tableHead(['Request', 'What it answers', 'Parameters'])}
        <tbody>
          {operations
            .filter((operation) => operation.section === section)
            .map(({ method, path, summary, query }) => (
              <tr>
                <th scope="row">
                  <code>
                    {method.toUpperCase()} {path}
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
