/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { ShownBrand } from '../data/shown-brand.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton, submitButton } from '../parts/buttons.tsx'
import { keyNames } from '../parts/key-names.tsx'
import { adminPage } from '../parts/layout.tsx'

/** `/admin/brands/:slug/archive`: what will break, and the button. */
export function archiveBrandPage(deps: AdminDeps, { brand, keys, use }: ShownBrand): Promise<Markup> {
  const { slug, name, keyIds } = brand
  return adminPage(
    deps,
    { title: `Archive ${name}?`, section: 'brands', lead: <code>{slug}</code> },
    <section class="card panel narrow">
      <form class="form" method="post" action={`/admin/brands/${slug}/archive`}>
        {whatBreaks(use)}
        {keys.length > 0 && [<p>Keys that may use it:</p>, keyNames(keys, keyIds.size)]}
        <p class="hint">
          Its revisions and files are kept. A brand can be restored on its page, and then every URL works
          again.
        </p>
        <div class="actions">
          {linkButton(`/admin/brands/${slug}`, 'Cancel')}
          {submitButton('Archive', 'btn danger')}
        </div>
      </form>
    </section>,
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
