/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { type Operation, operations } from './operations.ts'

/** The paths of one part of the reference that are no assets. */
export function operationTable(section: Operation['section']): Markup {
  return (
    <div class="card scroll-x" tabindex="0" role="region" aria-label={`Paths: ${section}`}>
      <table class="parameters">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">What it answers</th>
            <th scope="col">Parameters</th>
          </tr>
        </thead>
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
