/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AdminDeps } from '../deps.ts'
import { adminPage } from '../parts/layout.tsx'

export interface NewKeyForm {
  readonly name: string
  readonly quota: string
}

/** `/admin/keys/new`. */
export function newKeyPage(deps: AdminDeps, form?: NewKeyForm, problem?: string): Markup {
  return adminPage(
    deps,
    { title: 'New key', section: 'keys' },
    <section class="card panel narrow">
      <form class="form" method="post" action="/admin/keys">
        {problem && (
          <p class="note warn" role="alert">
            {problem}
          </p>
        )}
        <label>
          Name
          <input
            name="name"
            required
            maxlength="80"
            placeholder="docs.example.com"
            autocomplete="off"
            value={form?.name ?? ''}
            dir="auto"
          />
        </label>
        <label>
          Calls per day
          <input
            name="quota"
            type="number"
            min="0"
            max="1000000000"
            placeholder={`${deps.config.KEY_DAILY_QUOTA}, the general quota`}
            value={form?.quota ?? ''}
          />
        </label>
        <p class="hint">
          The secret is shown once, on the next page. It is not stored: it can be rotated, never read back.
        </p>
        <div class="actions">
          <a class="btn" href="/admin/keys">
            Cancel
          </a>
          <button class="btn primary" type="submit">
            Create key
          </button>
        </div>
      </form>
    </section>,
  )
}
