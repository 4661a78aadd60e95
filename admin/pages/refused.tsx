/** @jsxImportSource #jsx */

import { adminPage, type NavDeps, type Section } from '../parts/layout.tsx'
import { htmlResponse } from '../session-guard.ts'

/** What a form sent is wrong and nothing was changed: a page that says why and leads back. */
export function refusedPage(deps: NavDeps, section: Section, reason: string, back: string): Response {
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
  return htmlResponse(page, 400)
}
