/** @jsxImportSource #jsx */
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { postForm, submitButton } from './buttons.tsx'

/** Which restricted brands a key may use. */
export function keyBrands(keyId: string, brands: readonly BrandEntry[]): Markup {
  const chosen = brands.filter(
    ({ access, archivedAtMs, keyIds }) =>
      keyIds.has(keyId) || (access === 'keys' && archivedAtMs === undefined),
  )
  return (
    <section class="card panel" id="brands" aria-labelledby="brands-title">
      <header>
        <h2 id="brands-title">Brands</h2>
      </header>
      {chosen.length === 0 ? noBrands() : brandForm(keyId, chosen)}
    </section>
  )
}

function noBrands(): Markup {
  return (
    <p class="muted">
      No restricted brands. This key can use every brand. <a href="/admin/brands">Brands</a>
    </p>
  )
}

function brandForm(keyId: string, brands: readonly BrandEntry[]): Markup {
  return postForm(
    `/admin/keys/${keyId}/brands`,
    [
      <p class="hint">Only restricted brands are listed. Every key can use the others.</p>,
      <div class="ticks">{brands.map((brand) => tick(keyId, brand))}</div>,
      <div>{submitButton('Save brands')}</div>,
    ],
    { class: 'form' },
  )
}

function tick(keyId: string, { slug, name, access, archivedAtMs, keyIds }: BrandEntry): Child {
  const state = archivedAtMs !== undefined ? 'archived' : access === 'everyone' ? 'for everyone now' : ''
  return (
    <label class="tick">
      <input type="checkbox" name="slug" value={slug} checked={keyIds.has(keyId)} />
      <span dir="auto">{name}</span> <code class="muted">{slug}</code>{' '}
      {state && <span class="muted small">{state}</span>}
    </label>
  )
}
