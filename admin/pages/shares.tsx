/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { utcDay } from '../../src/lib/clock.ts'
import { text } from '../../src/lib/fields.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { chart } from '../../src/site/parts/chart.tsx'
import type { KeyRow } from '../../src/store/keys.ts'
import { allKeys } from '../../src/store/shares.ts'
import { type ShareSums, sumShares } from '../data/share-days.ts'
import type { AdminDeps } from '../deps.ts'
import { iconButton, linkButton } from '../parts/buttons.tsx'
import { panel, shareCard } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { emptyList } from '../parts/list.tsx'
import { rangeField, rangePicker } from '../parts/range-picker.ts'
import { sharedCardList } from '../parts/shared-card-list.tsx'
import type { AdminRequest } from '../session/admin-request.ts'
import { operatorNotFoundPage } from './refusals.tsx'

export const sharesQuery = Type.Object({
  days: rangeField,
  key: Type.Optional(text(0, 100, { description: 'The id of a key; missing for all keys' })),
})

/** How long the previews of each card are kept. */
const cardDaysMax = 30
/** A longer range would read too much of a large installation at once. */
const keyDays = 7
const keysShown = 10
const cardsShown = 20
const emptyText = 'Nothing in this range.'

/** `/admin/shares`: previews of signed pictures by network, of all keys or with `key` of one, by card. */
export async function sharesPage(
  deps: AdminDeps,
  { query: { days: length, key: id = '' } }: AdminRequest<Static<typeof sharesQuery>>,
): Promise<Markup | Response> {
  const days = Number(length)
  const key = id === '' ? undefined : await deps.keys.find(id)
  if (id !== '' && key === undefined) return operatorNotFoundPage(deps, 'shares', 'There is no such key.')
  const today = utcDay(deps.clock.now())
  const firstDay = today - days + 1
  const keyId = key?.id ?? allKeys
  const sums = sumShares(await deps.store.shares.days(keyId, firstDay, today), firstDay, today)
  return adminPage(
    deps,
    {
      title: key === undefined ? 'Shares' : `Shares of ${key.name || 'Untitled'}`,
      section: 'shares',
      lead: lead(sums, days, key),
      actions: [
        key !== undefined && linkButton('/admin/shares', 'All keys'),
        iconButton('download', path('/admin/shares.csv', days, key), 'Export CSV'),
      ],
    },
    [
      chart({
        title: 'Previews per day',
        series: sums.series,
        periods: sums.days,
        counted: 'previews',
        span: `${days} days`,
        last: 'today',
        isLastOpen: true,
        empty: 'No previews in these days. Networks fetch a card when its page is shared.',
        actions: rangePicker(days, (range) => path('/admin/shares', range, key)),
      }),
      <div class="cols">
        {shareCard('By network', sums.byNetwork, emptyText)}
        {key === undefined
          ? panel(`Keys, last ${keyDays} days`, await keyList(deps, today))
          : await cardPanel(deps, key, today, Math.min(days, cardDaysMax))}
      </div>,
    ],
  )
}

function lead({ total }: ShareSums, days: number, key: KeyRow | undefined): Child {
  const previews = `${formatCount(total)} previews in ${days} days`
  const caution = 'Networks are told apart by their User-Agent, which anybody can send.'
  return key === undefined
    ? `${previews}. ${caution}`
    : [previews, ' of ', <code>{key.id}</code>, `. ${caution}`]
}

function path(page: string, days: number, key: KeyRow | undefined): string {
  return `${page}?days=${days}${key === undefined ? '' : `&key=${key.id}`}`
}

/** The keys whose cards were previewed most, each with a link to its cards. */
async function keyList({ store, keys }: AdminDeps, today: number): Promise<Child> {
  const sums = await store.shares.keys(today - keyDays + 1, keysShown)
  if (sums.length === 0) return <p class="muted small">Nothing in these days.</p>
  const named = await Promise.all(sums.map(async (sum) => ({ ...sum, key: await keys.find(sum.keyId) })))
  return (
    <ul class="shares">
      {named.map(({ keyId, count, key }) => (
        <li>
          <span>
            {key === undefined ? (
              <code>{keyId}</code>
            ) : (
              <a href={`/admin/shares?key=${keyId}`} dir="auto">
                {key.name || keyId}
              </a>
            )}
          </span>
          <b class="num">{formatCount(count)}</b>
        </li>
      ))}
    </ul>
  )
}

async function cardPanel({ store }: AdminDeps, { id }: KeyRow, today: number, days: number): Promise<Markup> {
  const cards = await store.shares.cards(id, today - days + 1, cardsShown)
  const title = `Most previewed cards, last ${days} days`
  return cards.length === 0
    ? panel(title, emptyList('No previews yet', <p>Networks fetch a card when its page is shared.</p>))
    : panel(title, sharedCardList(id, cards))
}
