/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { sumShares } from '../data/share-days.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton } from './buttons.tsx'
import { panel, shareCard } from './cards.tsx'
import { sharedCardList } from './shared-card-list.tsx'

const cardsShown = 5

/** How often networks fetched the cards of a key from `firstDay` to `today`: by network, and the first few cards. */
export async function keyShares(
  { store }: AdminDeps,
  keyId: string,
  { firstDay, today }: { readonly firstDay: number; readonly today: number },
): Promise<Markup | false> {
  const sums = sumShares(await store.shares.days(keyId, firstDay, today), firstDay, today)
  if (sums.total === 0) return false
  const cards = await store.shares.cards(keyId, firstDay, cardsShown)
  return (
    <div class="cols">
      {shareCard('Shares by network, 30 days', sums.byNetwork, '')}
      {panel(
        'Shares by card, 30 days',
        sharedCardList(keyId, cards),
        linkButton(`/admin/shares?key=${keyId}`, 'All'),
      )}
    </div>
  )
}
