/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { nameLengthMax, type newKeyForm } from '../data/key-limits.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton, submitButton } from '../parts/buttons.tsx'
import { assetFields, notesField } from '../parts/key-access.tsx'
import { endField, quotaField } from '../parts/key-forms.tsx'
import { siteFields } from '../parts/key-site.tsx'
import { adminPage } from '../parts/layout.tsx'
import { problemNote } from '../parts/password-form.tsx'

/** `/admin/keys/new`; after a mistake with what was sent and the problem. */
export function newKeyPage(deps: AdminDeps, sent?: URLSearchParams, problem?: string): Promise<Markup> {
  function typed(name: keyof typeof newKeyForm.properties): string {
    return sent?.get(name) ?? ''
  }
  return adminPage(
    deps,
    { title: 'New key', section: 'keys' },
    <section class="card panel narrow">
      <form class="form" method="post" action="/admin/keys">
        {problemNote(problem)}
        <label>
          Name
          <input
            name="name"
            required
            maxlength={nameLengthMax}
            placeholder="docs.example.com"
            autocomplete="off"
            value={typed('name')}
            dir="auto"
          />
        </label>
        {quotaField(typed('quota'), `${deps.config.KEY_DAILY_QUOTA}, the default quota`)}
        {endField({ value: typed('expires'), placeholder: 'no end' })}
        {assetFields(sent?.getAll('assets') ?? [])}
        {siteFields(typed)}
        {notesField(typed('notes'))}
        <p class="hint">
          The secret is shown once, on the next page. It is not stored: it can be rotated, never read back.
        </p>
        <div class="actions">
          {linkButton('/admin/keys', 'Cancel')}
          {submitButton('Create key', 'btn primary')}
        </div>
      </form>
    </section>,
  )
}
