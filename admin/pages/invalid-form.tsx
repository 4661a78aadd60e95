/** @jsxImportSource #jsx */

import { adminResponse } from '../admin-response.ts'
import { adminPage, type NavDeps, type Section } from '../parts/layout.tsx'

/** 400 page: a form's value is not allowed and nothing was changed. Links back to the form. */
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
