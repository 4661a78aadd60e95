/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { adminResponse } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton } from '../parts/buttons.tsx'
import { adminPage, type Section } from '../parts/layout.tsx'

/** 404 page with a link back to the list. */
export async function operatorNotFoundPage(
  deps: AdminDeps,
  section: Section,
  reason: string,
): Promise<Response> {
  const back = linkButton(`/admin/${section}`, 'Back to the list')
  return adminResponse(await adminPage(deps, { title: 'Not found', section }, refusal(reason, back)), 404)
}

/** 400 page, or of another status: a form is not allowed and nothing was changed. Links back to the form. */
export async function invalidFormPage(
  deps: AdminDeps,
  section: Section,
  reason: string,
  form: string,
  status = 400,
): Promise<Response> {
  const back = linkButton(form, 'Back')
  return adminResponse(
    await adminPage(deps, { title: 'Not changed', section }, refusal(reason, back)),
    status,
  )
}

function refusal(reason: string, back: Markup): Markup {
  return (
    <section class="card empty">
      <h2>{reason}</h2>
      {back}
    </section>
  )
}
