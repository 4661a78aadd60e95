/** @jsxImportSource #jsx */

import { adminResponse } from '../admin-response.ts'
import { adminPage, type NavDeps, type Section } from '../parts/layout.tsx'

/** What a form sent is wrong and nothing was changed: a page that says why and leads back. */
export function invalidFormPage(deps: NavDeps, section: Section, reason: string, back: string): Response {
  const page = adminPage(
    deps,
    { title: 'Not changed', section },
    <section class="card empty">
      <h2>{reason}</h2>
      <a class="btn" href={back}>
        Back
      </a>
    </section>,
  )
  return adminResponse(page, 400)
}
