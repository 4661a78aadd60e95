/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { Store } from '../../src/store/open.ts'

type ListedCard = Awaited<ReturnType<Store['shares']['cards']>>[number]

/** The cards of one key that networks fetched, each with its picture, its words and its previews. */
export function sharedCardList(keyId: string, cards: readonly ListedCard[]): Markup {
  return (
    <ol class="history counts">
      {cards.map((card) => (
        <li>
          {picture(keyId, card)}
          <p>{words(card)}</p>
          <b class="num">{formatCount(card.count)}</b>
        </li>
      ))}
    </ol>
  )
}

/** The card's words stand beside it, so it needs no text of its own. */
function picture(keyId: string, { address, isDrawable }: ListedCard): Child {
  if (!isDrawable) return <span class="thumbnail" />
  const source = `/admin/keys/${keyId}/shares/${address}/picture`
  return <img class="thumbnail" src={source} width="1200" height="630" alt="" loading="lazy" />
}

function words({ address, asset, title, url }: ListedCard): Child {
  if (address === '') return <span class="muted">Further cards, counted together</span>
  return [
    <span dir="auto">{title || 'Untitled'}</span>,
    <br />,
    <span class="small muted">{url === '' ? asset : `${asset}, ${url}`}</span>,
  ]
}
