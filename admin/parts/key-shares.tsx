/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { sumShares } from '../data/share-days.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton } from './buttons.tsx'
import { panel, shareCard } from './cards.tsx'
import { sharedCardList } from './shared-card-list.tsx'

const cardsShown = 5
const emptyText = 'No previews yet. Networks fetch a card when its page is shared.'

/** Previews of a key's cards from `firstDay` to `today`: by network, and the addresses that were fetched most. */
export async function keyShares(
  { store }: AdminDeps,
  keyId: string,
  { firstDay, today }: { readonly firstDay: number; readonly today: number },
): Promise<Markup> {
  const sums = sumShares(await store.shares.days(keyId, firstDay, today), firstDay, today)
  const cards = await store.shares.cards(keyId, firstDay, cardsShown)
  return (
    <div class="cols">
      {shareCard('Shares by network, 30 days', sums.byNetwork, emptyText)}
      {panel(
        'Most fetched addresses, 30 days',
        cards.length === 0 ? <p class="muted small">{emptyText}</p> : sharedCardList(keyId, cards),
        cards.length > 0 && linkButton(`/admin/shares?key=${keyId}`, 'All'),
      )}
    </div>
  )
}
