/** @jsxImportSource #jsx */
import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import { cardSizes, type Scheme, type SizeName, schemes } from '../../src/assets/og/theme.ts'
import type { BrandEntry, StoredRevision } from '../../src/brands/brand-directory.ts'
import { brandFileFields, brandTextFields } from '../../src/brands/brand-form.ts'
import { formatAgo, formatCount, formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { feedFrames } from '../../src/site/parts/feed-frames.tsx'
import type { AdminDeps } from '../deps.ts'
import { type BrandPart, type SchemeContrast, sampleTexts } from '../drawing.ts'
import { brandStatus } from '../lists/brands.tsx'
import {
  copyButtonOf,
  keyNames,
  linkButton,
  narrowForm,
  panel,
  postForm,
  submitButton,
  thumbnail,
} from '../parts/elements.tsx'
import { adminPage } from '../parts/layout.tsx'
import { brandFields, mistakeSummary, type PictureUrl } from './brand-fields.tsx'
import { type BrandFormState, fieldLabels, sampleLengthMax, textsOf } from './brand-form.ts'
import type { ShownBrand } from './shown-brand.ts'

const formId = 'brand-form'

interface BrandPage {
  readonly form: BrandFormState
  readonly look: CardBrand
  readonly draft?: URLSearchParams
  readonly shown?: ShownBrand | undefined
}

export async function brandPage(deps: AdminDeps, { form, look, draft, shown }: BrandPage): Promise<Markup> {
  const slug = shown?.brand.slug
  function pictureUrl(part: BrandPart['part'], query: Readonly<Record<string, string>> = {}): string {
    const parameters = new URLSearchParams(draft)
    // The scheme of a card stands in for that of the form.
    for (const [name, value] of Object.entries(query)) parameters.set(name, value)
    return `/admin/brands/${slug ?? 'new'}/${form.revision}/${part}?${parameters}`
  }
  // A page without contrasts is better than none.
  const contrasts = await deps.drawing.contrasts(look).catch((): readonly SchemeContrast[] => [])
  return adminPage(deps, headOf(shown?.brand), [
    mistakeSummary(form),
    <div class="brand-editor">
      <section class="card panel" aria-label="The brand">
        {postForm(
          slug === undefined ? '/admin/brands' : `/admin/brands/${slug}`,
          [
            // Enter in a field presses the first button: the swatches are buttons too.
            <button class="vh" type="submit" name="preview" value="1" tabindex="-1" aria-hidden="true" />,
            slug !== undefined && <input type="hidden" name="revision" value={form.revision} />,
            brandFields(form, { look, contrasts, pictureUrl }, slug === undefined),
            <p class="hint noscript">
              “Preview” draws the cards with what you typed and saves nothing. Files that you chose wait for
              half an hour; should one be gone by then, the form asks for it again.
            </p>,
            <div class="actions row">
              {linkButton('/admin/brands', 'Cancel')}
              {submitButton('Preview', 'btn', { name: 'preview', value: '1' })}
              {submitButton(slug === undefined ? 'Create brand' : 'Save', 'btn primary')}
            </div>,
          ],
          { class: 'form', id: formId, enctype: 'multipart/form-data', 'data-preview': true },
        )}
      </section>
      {preview(form, pictureUrl)}
    </div>,
    shown && <div class="cols">{[useCard(shown), accessCard(shown)]}</div>,
    shown && history(shown, deps.clock.now()),
  ])
}

function headOf(brand: BrandEntry | undefined) {
  if (brand === undefined) return { title: 'New brand', section: 'brands' } as const
  const { slug, name, archivedAtMs } = brand
  return {
    title: name,
    section: 'brands',
    note: brandStatus(brand),
    lead: <code>{slug}</code>,
    buttons:
      archivedAtMs === undefined
        ? linkButton(`/admin/brands/${slug}/archive`, 'Archive')
        : postForm(`/admin/brands/${slug}/restore`, submitButton('Restore')),
  } as const
}

/** The rows of a preview: within a row all cards have the same height. */
const rows: readonly (readonly SizeName[])[] = [
  ['og', 'x'],
  ['github', 'square', 'portrait', 'pin'],
]

export function cardRows(scheme: Scheme, urlOf: (size: SizeName) => string): Child {
  return rows.map((sizes) => (
    <div class="sizes">
      {sizes.map((size) => {
        const { widthPx, heightPx } = cardSizes[size]
        return (
          <figure class={`is-${size}`}>
            <img
              src={urlOf(size)}
              width={widthPx}
              height={heightPx}
              alt={`Card of size ${size}, ${widthPx} × ${heightPx}, ${scheme}`}
              loading="lazy"
            />
            <figcaption class="muted small">{size}</figcaption>
          </figure>
        )
      })}
    </div>
  ))
}

function preview({ sample: title }: BrandFormState, pictureUrl: PictureUrl): Markup {
  const image = { ...cardSizes.og, url: pictureUrl('card', { title }), alt: 'The card as it is shared' }
  const [host = ''] = sampleTexts.url.split('/')
  return (
    <section class="card panel preview" aria-labelledby="preview-title">
      <header>
        <h2 id="preview-title">Preview</h2>
        <label class="sample row">
          <span>Title on the cards</span>
          <input
            name="sample"
            form={formId}
            value={title}
            maxlength={sampleLengthMax}
            autocomplete="off"
            dir="auto"
          />
        </label>
      </header>
      <p class="vh" role="status" id="preview-state" />
      <div id="preview" class="grid">
        {schemes.map((scheme) => (
          <div class="grid">
            <h3>{scheme === 'light' ? 'Light' : 'Dark'}</h3>
            {cardRows(scheme, (size) => pictureUrl('card', { size, scheme, title }))}
          </div>
        ))}
      </div>
      <div id="feed" class="grid">
        <h3>As seen in</h3>
        {feedFrames({
          group: 'feed',
          page: { image, title, description: sampleTexts.subtitle, host },
          imageLoading: 'lazy',
        })}
      </div>
    </section>
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
        They are demo calls, for a look. <a href="/docs/signed-urls">Sign the URLs</a> of public pages.
      </>
    ) : (
      <>
        Signed with <a href={`/admin/keys/${key.id}`}>{key.name || key.id}</a>, whose quota each counts
        against once.
      </>
    )
  return (
    <div class="form">
      {snippet('use-newest', newest, 'The newest revision: these cards change when you save.')}
      {snippet('use-revision', fixed, `Revision ${revision}, which can’t be changed.`)}
      <p class="hint">{credential}</p>
    </div>
  )
}

function snippet(id: string, url: string, hint: string): Markup {
  return (
    <div>
      <div class="row">
        <code id={id} class="box">
          {url.split(/(?<=[^/:]\/|[?&])/).flatMap((part) => [part, <wbr />])}
        </code>
        {copyButtonOf(id)}
      </div>
      <p class="hint">{hint}</p>
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
    keys.length === 0 ? none : keyNames(keys, brand.keyIds.size, '#brands'),
    linkButton('/admin/keys', 'All keys', 'small end'),
  )
}

function history({ brand: { slug, revision: newest }, revisions, before }: ShownBrand, nowMs: number) {
  function item(shown: StoredRevision, older: StoredRevision | undefined): Markup {
    const { revision, createdAtMs } = shown
    const name = `${slug}@${revision}`
    return (
      <li>
        {thumbnail(`/admin/brands/${slug}/${revision}/card`)}
        <div>
          <p class="row">
            <code id={`revision-${revision}`}>{name}</code>
            {copyButtonOf(`revision-${revision}`, `Copy ${name}`)}
          </p>
          <p class="small muted">
            <span title={`${formatTime(createdAtMs)} UTC`}>{formatAgo(createdAtMs, nowMs)}</span>:{' '}
            {changes(shown, older)}
          </p>
        </div>
        {revision === newest ? (
          <span class="small muted">newest</span>
        ) : (
          postForm(`/admin/brands/${slug}/newest`, [
            <input type="hidden" name="revision" value={revision} />,
            submitButton('Go back to this revision'),
          ])
        )}
      </li>
    )
  }
  const list = (
    <ol class="history grid" reversed>
      {revisions.map((each, index) => item(each, revisions[index + 1] ?? before))}
    </ol>
  )
  const olderHref = before && `/admin/brands/${slug}?before=${before.revision + 1}#history`
  return panel(
    'History',
    [list, olderHref && <p class="right">{linkButton(olderHref, 'Older revisions')}</p>],
    undefined,
    'history',
  )
}

function changes(shown: StoredRevision, older: StoredRevision | undefined): string {
  if (older === undefined) return 'the first one'
  const [now = {}, then = {}] = [shown, older].map(({ look, slug, name }) =>
    textsOf(look, { slug, name, access: '' }),
  )
  const texts = brandTextFields.flatMap((field) => {
    if (now[field] === then[field]) return []
    return [`${fieldLabels[field].toLowerCase()} ${now[field] ? `is ${now[field]}` : 'removed'}`]
  })
  const files = brandFileFields.flatMap((field) => {
    const [one, other] = [shown, older].map((each) => each.files.find((file) => file.field === field)?.sha256)
    if (one === other) return []
    const change = one === undefined ? 'removed' : other === undefined ? 'added' : 'replaced'
    return [`${fieldLabels[field].toLowerCase()} ${change}`]
  })
  return [...texts, ...files].join('; ') || 'no changes'
}

export function archiveBrandPage(deps: AdminDeps, { brand, keys, use }: ShownBrand): Promise<Markup> {
  const { slug, name, keyIds } = brand
  return adminPage(
    deps,
    { title: `Archive ${name}?`, section: 'brands', lead: <code>{slug}</code> },
    narrowForm(
      `/admin/brands/${slug}/archive`,
      [
        whatBreaks(use),
        keys.length > 0 && [<p>Keys that may use it:</p>, keyNames(keys, keyIds.size, '#brands')],
        <p class="hint">
          Its revisions and files are kept. A brand can be restored on its page, and then every URL works
          again.
        </p>,
      ],
      `/admin/brands/${slug}`,
      submitButton('Archive', 'btn danger'),
    ),
  )
}

function whatBreaks({ cards, keys }: ShownBrand['use']): Child {
  if (cards === 0) return <p>No card was drawn with this brand in the last 30 days.</p>
  const of = keys === 0 ? '' : ` for ${formatCount(keys)} ${keys === 1 ? 'key' : 'keys'}`
  return (
    <p>
      <b>
        {formatCount(cards)} {cards === 1 ? 'card was' : 'cards were'} drawn with this brand in the last 30
        days{of}.
      </b>{' '}
      Pages that name it, with or without a revision, will get an error in place of their card.
    </p>
  )
}
