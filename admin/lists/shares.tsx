/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { formatCount, formatDay } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { capitalized } from '../../src/lib/texts.ts'
import { chart } from '../../src/site/parts/chart.tsx'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Store } from '../../src/store/open.ts'
import { allKeys, cardRowsMax, type ShareDay } from '../../src/store/shares.ts'
import type { AdminDeps } from '../deps.ts'
import { barCard, barList, keysOf, linkButton, panel, segments, thumbnail } from '../parts/elements.tsx'
import { notFound } from '../parts/layout.tsx'
import { columnsOf, csvOf, dayColumn } from './csv.ts'
import labels from './filter-labels.json' with { type: 'json' }
import { defineList, emptyList, hrefOf } from './list.tsx'
import spellings from './network-names.json' with { type: 'json' }
import { daysQuery, endpointName } from './usage.tsx'

const path = '/admin/shares'
const { shareDays: ranges } = labels
const keyField = Type.Optional(text(0, 100, { description: 'The id of a key; missing for all keys' }))
const query = Type.Object({
  days: choice(keysOf(ranges), { default: '30', description: 'How many days, up to today' }),
  key: keyField,
})

/** The store keeps the previews of each card for so long: `sharedCardDaysMax` of `src/store/prune.ts`. */
const cardDaysMax = 30
/** A longer range would read too much of a large installation at once. */
const keyDays = 7
const keysShown = 10
const cardsShown = 20

/** `/admin/shares`: previews of signed pictures by network, of all keys or with `key` of one, by card. */
export const sharesList = defineList({
  path,
  section: 'shares',
  query,
  async read(deps, { days: length, key: id = '' }) {
    const key = id === '' ? undefined : await deps.keys.find(id)
    if (id !== '' && key === undefined) throw notFound('shares', 'There is no such key.')
    const days = Number(length)
    const today = utcDay(deps.clock.now())
    const firstDay = today - days + 1
    const rows = await deps.store.shares.days(key?.id ?? allKeys, firstDay, today)
    return { rows, key, days, today, sums: sumShares(rows, firstDay, today) }
  },
  head: ({ found: { key, days, sums } }) => ({
    title: key === undefined ? 'Shares' : `Shares of ${key.name || 'Untitled'}`,
    lead: [
      `${formatCount(sums.total)} previews in ${days} days`,
      key && [' of ', <code>{key.id}</code>],
      '. Networks are told apart by their User-Agent, which anybody can send.',
    ],
    buttons: key && linkButton(path, 'All keys'),
  }),
  above: ({ query: given, found: { days, sums } }) =>
    chart({
      title: 'Previews per day',
      series: sums.series,
      periods: sums.days,
      counted: 'previews',
      span: `${days} days`,
      empty: 'No previews in these days. Networks fetch a card when its page is shared.',
      actions: segments(
        'Range',
        Object.entries(ranges).map(([range, label]) => ({
          href: hrefOf(path, query, { ...given, days: range }),
          label,
          isCurrent: range === given.days,
        })),
      ),
    }),
  below: async ({ deps, found: { key, days, today, sums } }) => (
    <div class="cols">
      {barCard('By network', sums.byNetwork, 'Nothing in this range.')}
      {key === undefined
        ? panel(`Keys, last ${keyDays} days`, await keyList(deps, today))
        : panel(
            `Most previewed cards, last ${Math.min(days, cardDaysMax)} days`,
            await cardList(deps, key, today - Math.min(days, cardDaysMax) + 1),
          )}
    </div>
  ),
  csv: {
    query: Type.Object({ ...daysQuery.properties, key: keyField }),
    linked: ({ days, key }) => ({ days: Number(days), ...(key !== undefined && { key }) }),
    async file({ store, clock }, { days, key = allKeys }) {
      const today = utcDay(clock.now())
      const firstDay = today - days + 1
      if (key === allKeys)
        return csvOf(
          [dayColumn, ...columnsOf('network', 'count')],
          await store.shares.days(allKeys, firstDay, today),
        )
      // All rows that a key may have.
      const rows = await store.shares.newest(key, firstDay, 31 * cardRowsMax)
      return csvOf([dayColumn, ...columnsOf('network', 'title', 'url', 'count')], rows)
    },
  },
})

async function keyList({ store, keys }: AdminDeps, today: number): Promise<Child> {
  const sums = await store.shares.keys(today - keyDays + 1, keysShown)
  if (sums.length === 0) return <p class="muted small">Nothing in these days.</p>
  const lines = sums.map(async ({ keyId, count }) => {
    const key = await keys.find(keyId)
    const name =
      key === undefined ? <code>{keyId}</code> : <a href={`${path}?key=${keyId}`}>{key.name || keyId}</a>
    return { name, value: formatCount(count) }
  })
  return barList(await Promise.all(lines))
}

async function cardList({ store }: AdminDeps, { id }: KeyRow, firstDay: number): Promise<Child> {
  const cards = await store.shares.cards(id, firstDay, cardsShown)
  return cards.length === 0
    ? emptyList('No previews yet', 'Networks fetch a card when its page is shared.')
    : sharedCardList(id, cards)
}

/** Networks that a chart tells apart; one more series has all others. */
const networksShown = 3
const tones = ['s1', 's2', 's3', 's4'] as const

export function sumShares(rows: readonly ShareDay[], firstDay: number, lastDay: number) {
  const sums = new Map<string, number>()
  for (const { network, count } of rows) sums.set(network, count + (sums.get(network) ?? 0))
  const ranked = [...sums].toSorted(([, one], [, other]) => other - one)
  const shown = ranked.slice(0, networksShown).map(([network]) => network)
  const names = [...shown.map(networkLabel), ...(ranked.length > shown.length ? ['Others'] : [])]
  const days = Map.groupBy(rows, ({ day }) => day)

  function valuesOf(day: number): readonly number[] {
    const values = names.map(() => 0)
    for (const { network, count } of days.get(day) ?? []) {
      const index = shown.indexOf(network)
      const series = index < 0 ? shown.length : index
      values[series] = (values[series] ?? 0) + count
    }
    return values
  }

  return {
    total: ranked.reduce((sum, [, count]) => sum + count, 0),
    series: names.map((name, index) => ({ name, tone: tones[index] ?? 's4' })),
    days: Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({
      label: formatDay((firstDay + index) * dayMs),
      values: valuesOf(firstDay + index),
    })),
    byNetwork: ranked.map(([network, count]) => ({ name: networkLabel(network), count })),
  }
}

export function networkLabel(network: string): string {
  return networkNames[network] ?? capitalized(network)
}

const networkNames: Readonly<Record<string, string>> = spellings

type ListedCard = Awaited<ReturnType<Store['shares']['cards']>>[number]

export function sharedCardList(keyId: string, cards: readonly ListedCard[]): Markup {
  function picture({ address, isDrawable }: ListedCard): Child {
    if (!isDrawable) return <span class="thumbnail" />
    return thumbnail(`/admin/keys/${keyId}/shares/${address}/picture`)
  }
  return (
    <ol class="history grid">
      {cards.map((card) => (
        <li>
          {picture(card)}
          <p>{textsOf(card)}</p>
          <b class="num">{formatCount(card.count)}</b>
        </li>
      ))}
    </ol>
  )
}

function textsOf({ address, asset, title, url }: ListedCard): Child {
  if (address === '') return <span class="muted">Further cards, counted together</span>
  return [
    <span dir="auto">{title || 'Untitled'}</span>,
    <br />,
    <span class="small muted">{[endpointName({ endpoint: asset }), url].filter(Boolean).join(', ')}</span>,
  ]
}
