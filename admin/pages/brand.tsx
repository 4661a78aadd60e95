/** @jsxImportSource #jsx */
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { type BrandFormState, sampleLengthMax } from '../data/brand-fields.ts'
import type { DrawnBrand } from '../data/brand-previews.ts'
import type { ShownBrand } from '../data/shown-brand.ts'
import type { AdminDeps } from '../deps.ts'
import { brandFields, mistakeSummary } from '../parts/brand-fields.tsx'
import { brandHistory } from '../parts/brand-history.tsx'
import { brandPreview } from '../parts/brand-preview.tsx'
import { brandStatus } from '../parts/brand-status.tsx'
import { linkButton, postForm, submitButton } from '../parts/buttons.tsx'
import { panel } from '../parts/cards.tsx'
import { copyButton } from '../parts/copy-button.tsx'
import { keyNames } from '../parts/key-names.tsx'
import { adminPage } from '../parts/layout.tsx'

const formId = 'brand-form'

/** The form of a brand with its preview: `/admin/brands/new`, and `/admin/brands/:slug` if there is such a brand. */
export function brandPage(
  deps: AdminDeps,
  form: BrandFormState,
  drawn: DrawnBrand,
  shown?: ShownBrand,
): Promise<Markup> {
  return adminPage(deps, headOf(shown?.brand), [
    mistakeSummary(form),
    <div class="brand-editor">
      {formCard(form, drawn, shown?.brand)}
      {brandPreview(drawn, form.sample, sampleField(form))}
    </div>,
    shown && <div class="cols">{[useCard(shown), accessCard(shown)]}</div>,
    shown &&
      brandHistory({ ...shown, slug: shown.brand.slug, newest: shown.brand.revision }, deps.clock.now()),
  ])
}

function headOf(brand: BrandEntry | undefined) {
  if (brand === undefined) return { title: 'New brand', section: 'brands' } as const
  const { slug, name, archivedAtMs } = brand
  const archive =
    archivedAtMs === undefined
      ? linkButton(`/admin/brands/${slug}/archive`, 'Archive')
      : postForm(`/admin/brands/${slug}/restore`, submitButton('Restore'))
  return {
    title: name,
    section: 'brands',
    note: brandStatus(brand),
    lead: <code>{slug}</code>,
    actions: archive,
  } as const
}

function formCard(form: BrandFormState, drawn: DrawnBrand, brand: BrandEntry | undefined): Markup {
  const action = brand === undefined ? '/admin/brands' : `/admin/brands/${brand.slug}`
  return (
    <section class="card panel" aria-label="The brand">
      <form
        class="form"
        id={formId}
        method="post"
        action={action}
        enctype="multipart/form-data"
        data-preview={true}
      >
        {/* Enter in a field presses the first button: the swatches are buttons too. */}
        <button class="vh" type="submit" name="preview" value="1" tabindex="-1" aria-hidden="true" />
        {brand !== undefined && <input type="hidden" name="revision" value={form.revision} />}
        {brandFields(form, drawn, brand === undefined)}
        <p class="hint noscript">
          “Preview” draws the cards with what you typed and saves nothing. Files that you chose wait for half
          an hour; should one be gone by then, the form asks for it again.
        </p>
        <div class="actions">
          {linkButton('/admin/brands', 'Cancel')}
          <button class="btn" type="submit" name="preview" value="1">
            Preview
          </button>
          {submitButton(brand === undefined ? 'Create brand' : 'Save', 'btn primary')}
        </div>
      </form>
    </section>
  )
}

function sampleField({ sample }: BrandFormState): Child {
  return (
    <label class="sample">
      <span>Title on the cards</span>
      <input
        name="sample"
        form={formId}
        value={sample}
        maxlength={sampleLengthMax}
        autocomplete="off"
        dir="auto"
      />
    </label>
  )
}

function useCard({ brand, examples, use }: ShownBrand): Markup {
  const cards = `${formatCount(use.cards)} ${use.cards === 1 ? 'card' : 'cards'} in the last 30 days`
  return panel(
    'Use it',
    examples === undefined ? <p class="muted">{whyUnused(brand)}</p> : exampleUrls(brand, examples),
    <span class="muted small end">{cards}</span>,
  )
}

function whyUnused({ slug, access, archivedAtMs }: BrandEntry): Child {
  if (archivedAtMs !== undefined) return 'The brand is archived, so every call that names it is refused.'
  if (access === 'keys') return 'No key that works may use it yet: choose this brand on the page of a key.'
  return [
    'Add ',
    <code>brand={slug}</code>,
    ' to any signed call: there is no demo here, because DEMO_DAILY_QUOTA is 0.',
  ]
}

function exampleUrls(
  { revision }: BrandEntry,
  { newest, revision: fixed, key }: NonNullable<ShownBrand['examples']>,
): Markup {
  const credential =
    key === undefined ? (
      <>
        They are demo calls, for a look. <a href="/docs/embedding">Sign the URLs</a> of public pages.
      </>
    ) : (
      <>
        Signed with <a href={`/admin/keys/${key.id}`}>{key.name || key.id}</a>, whose quota each counts
        against once.
      </>
    )
  return (
    <div class="form">
      <div>
        {snippet('use-newest', newest)}
        <p class="hint">The newest revision: these cards change when you save.</p>
      </div>
      <div>
        {snippet('use-revision', fixed)}
        <p class="hint">Revision {revision}, which can’t be changed.</p>
      </div>
      <p class="hint">{credential}</p>
    </div>
  )
}

/** A URL to copy. On narrow screens it breaks between its parts. */
function snippet(id: string, url: string): Markup {
  return (
    <div class="snippet">
      <code id={id}>{url.split(/(?<=[^/:]\/|[?&])/).flatMap((part) => [part, <wbr />])}</code>
      {copyButton(id)}
    </div>
  )
}

function accessCard({ brand, keys }: ShownBrand): Markup {
  if (brand.access === 'everyone')
    return panel('Access', <p class="muted">Everyone: any call may name this brand.</p>)
  const none = (
    <p class="muted">No key yet, so every call is refused. Choose this brand on the page of a key.</p>
  )
  return panel(
    'Access',
    keys.length === 0 ? none : keyNames(keys, brand.keyIds.size),
    <a class="small end" href="/admin/keys">
      All keys
    </a>,
  )
}
