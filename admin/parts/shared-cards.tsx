/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { Store } from '../../src/store/open.ts'
import { type Column, scrollTable, tableRow } from './table.tsx'

export type ListedCard = Awaited<ReturnType<Store['shares']['cards']>>[number]

/** A table of the cards of one key that networks fetched, each with its picture and its words. */
export function sharedCardTable(keyId: string, cards: readonly ListedCard[]): Markup {
  const columns: readonly Column<ListedCard>[] = [
    { head: 'Picture', class: 'c-card', hidesHead: true, cell: (card) => picture(keyId, card) },
    { head: 'Card', class: 'c-name', cell: words },
    { head: 'Asset', class: 'c-for', cell: ({ asset }) => asset },
    { head: 'Previews', class: 'right num c-last', cell: ({ count }) => formatCount(count) },
  ]
  const rows = cards.map((card) => tableRow(columns, card))
  return scrollTable({ class: 'keys', columns, rows })
}

/** The card says its words itself, and they stand beside it: so it needs no text of its own. */
function picture(keyId: string, { address, isDrawable }: ListedCard): Child {
  if (!isDrawable) return undefined
  const source = `/admin/keys/${keyId}/shares/${address}/picture`
  return <img class="thumbnail" src={source} width="1200" height="630" alt="" loading="lazy" />
}

function words({ address, title, url }: ListedCard): Child {
  if (address === '') return <span class="muted">Further cards, counted together</span>
  return [
    <span class="name" dir="auto">
      {title || 'Untitled'}
    </span>,
    url !== '' && <span class="id">{url}</span>,
  ]
}
