/** @jsxImportSource #jsx */

import { adminResponse } from '../admin-response.ts'
import { adminPage, type NavDeps, type Section } from '../parts/layout.tsx'

/** 404 page with a link back to the list. */
export function notFoundPage(deps: NavDeps, section: Section, reason: string): Response {
  const page = adminPage(
    deps,
    { title: 'Not found', section },
    <section class="card empty">
      <h2>{reason}</h2>
      <a class="btn" href={`/admin/${section}`}>
        Back to the list
      </a>
    </section>,
  )
  return adminResponse(page, 404)
}
