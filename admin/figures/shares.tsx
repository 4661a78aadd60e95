/** @jsxImportSource #jsx */
import { dayMs } from '../../src/lib/clock.ts'
import { formatCount, formatDay } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { Store } from '../../src/store/open.ts'
import type { ShareDay } from '../../src/store/shares.ts'
import { capitalized, thumbnail } from '../parts/elements.tsx'
import spellings from './network-names.json' with { type: 'json' }
import { endpointName } from './requests.ts'

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
