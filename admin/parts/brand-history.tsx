/** @jsxImportSource #jsx */
import { brandFileFields, brandTextFields } from '../../src/brands/brand-form.ts'
import type { StoredRevision } from '../../src/brands/brand-loader.ts'
import { formatAgo, formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { fieldLabels, textsOf } from '../data/brand-fields.ts'
import { brandThumbnail } from './brand-thumbnail.tsx'
import { linkButton, postForm, submitButton } from './buttons.tsx'
import { copyButton } from './copy-button.tsx'

export interface BrandHistory {
  readonly slug: string
  readonly newest: number
  /** Newest first. */
  readonly revisions: readonly StoredRevision[]
  /** The one before the last of `revisions`, if there is one: it is compared with, and begins the next page. */
  readonly before: StoredRevision | undefined
}

/** Revisions: their cards, what changed, their names for URLs, and a way back to each. */
export function brandHistory({ slug, newest, revisions, before }: BrandHistory, nowMs: number): Markup {
  return (
    <section class="card panel" id="history" aria-labelledby="history-title">
      <header>
        <h2 id="history-title">History</h2>
      </header>
      <ol class="history" reversed>
        {revisions.map((each, index) => item(each, revisions[index + 1] ?? before, newest, nowMs))}
      </ol>
      {before !== undefined && (
        <p class="end">
          {linkButton(`/admin/brands/${slug}?before=${before.revision + 1}#history`, 'Older revisions')}
        </p>
      )}
    </section>
  )
}

function item(
  shown: StoredRevision,
  before: StoredRevision | undefined,
  newest: number,
  nowMs: number,
): Markup {
  const { slug, revision, createdAtMs } = shown
  const name = `${slug}@${revision}`
  return (
    <li>
      {brandThumbnail(shown)}
      <div>
        <p class="line">
          <code id={`revision-${revision}`}>{name}</code>
          {copyButton(`revision-${revision}`, `Copy ${name}`)}
        </p>
        <p class="small muted">
          <span title={`${formatTime(createdAtMs)} UTC`}>{formatAgo(createdAtMs, nowMs)}</span>:{' '}
          {changes(shown, before)}
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

/** Describes what a revision changed compared with the one before it. */
function changes(shown: StoredRevision, before: StoredRevision | undefined): string {
  if (before === undefined) return 'the first one'
  const [now, then] = [shown, before].map(({ look, slug, name }) => textsOf(look, { slug, name, access: '' }))
  const texts = brandTextFields.flatMap((field) => {
    const text = now?.[field] ?? ''
    if (text === (then?.[field] ?? '')) return []
    return [`${fieldLabels[field].toLowerCase()} ${text === '' ? 'removed' : `is ${text}`}`]
  })
  const files = brandFileFields.flatMap((field) => {
    const [one, other] = [shown, before].map(
      (each) => each.files.find((file) => file.field === field)?.sha256,
    )
    if (one === other) return []
    const word = one === undefined ? 'removed' : other === undefined ? 'added' : 'replaced'
    return [`${fieldLabels[field].toLowerCase()} ${word}`]
  })
  const all = [...texts, ...files]
  return all.length === 0 ? 'no changes' : all.join('; ')
}
