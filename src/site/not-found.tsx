/** @jsxImportSource #jsx */
import type { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import { htmlResponse } from '../http/responses.ts'
import { acceptedTypes } from '../lib/accepted-types.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { layout } from './layout.tsx'

/** The page for somebody who opened an address that does not exist; undefined for a caller that names no HTML. */
export function notFoundPage(problem: Problem, context: RequestContext): Response | undefined {
  const types = acceptedTypes(context.request.headers.get('accept'))
  if (!types.includes('text/html') || types.includes('application/json')) return undefined
  return htmlResponse(context.method === 'HEAD' ? null : notFound(problem, context), {
    status: problem.status,
    headers: { 'cache-control': 'no-store', vary: 'Accept', 'x-robots-tag': 'noindex', ...problem.headers },
  })
}

function notFound({ message }: Problem, { baseUrl, path }: RequestContext): Markup {
  const head = { title: 'Not found · Mintmark', description: message, origin: baseUrl }
  return layout(
    head,
    <article class="prose">
      <h1>Not found</h1>
      <p>{message}</p>
      <pre>
        <code>{path}</code>
      </pre>
      <ul>
        <li>
          The <a href="/docs">reference</a> lists every URL.
        </li>
        <li>
          Build a URL in the <a href="/#play">playground</a>.
        </li>
        <li>
          Look up an <a href="/docs/errors">error</a>.
        </li>
      </ul>
    </article>,
  )
}
