import { and, between, desc, eq, gte, sql } from 'drizzle-orm'
import type { Database, Operation, Steps } from './database.ts'
import { anyNumber, matches, queriesOf } from './query.ts'
import { shareDays, sharedCards } from './schema.ts'

/** Previews of one card by one network on one UTC day, in days since 1970-01-01. */
export type SharedCard = Readonly<typeof sharedCards.$inferSelect>

export type ShareDay = Omit<Readonly<typeof shareDays.$inferSelect>, 'keyId'>

/** Rows of a key for a day; what further cards have is added up by network. */
export const cardRowsMax = 300

/** Held by transactions that add: without it two servers could each find the last free row of a key. */
export const sharesLock = 'shares'

export const allKeys = ''

export function withoutCard({ keyId, day, network, count }: SharedCard): SharedCard {
  return { keyId, day, network, count, address: '', asset: '', title: '', url: '', query: '' }
}

export function createShareTable(database: Database) {
  const { addCount, all, change, number, one, prune } = queriesOf(database)
  const { keyId, day, network, address, asset, title, url, query, count } = sharedCards
  const cardKey = [keyId, day, network, address]
  const dayKey = [shareDays.keyId, shareDays.day, shareDays.network]
  const raise = change({ keyId, day, network, address, added: anyNumber }, (of, { update }) =>
    update(sharedCards)
      .set({ count: sql`${count} + ${of.added}` })
      .where(matches({ keyId, day, network, address }, of)),
  )
  const rowsOf = number({ keyId, day }, (of, { select }) =>
    select({ number: sql<number>`count(*)` })
      .from(sharedCards)
      .where(and(matches({ keyId, day }, of), sql`${address} <> ''`)),
  )
  const addCard = addCount(sharedCards, cardKey, count)
  const addSum = addCount(shareDays, dayKey, shareDays.count)
  const newest = all({ keyId, firstDay: day, limit: anyNumber }, (of, { select }) =>
    select({ day, network, title, url, count })
      .from(sharedCards)
      .where(and(eq(keyId, of.keyId), gte(day, of.firstDay)))
      .orderBy(desc(day), desc(count), network, address)
      .limit(of.limit),
  )
  const cards = all({ keyId, firstDay: day, limit: anyNumber }, (of, { select }) =>
    select({
      address,
      asset: sql<string>`max(${asset})`,
      title: sql<string>`max(${title})`,
      url: sql<string>`max(${url})`,
      isDrawable: sql<number>`max(case when ${query} = '' then 0 else 1 end)`.as('isDrawable'),
      count: sql<number>`sum(${count})`.as('count'),
    })
      .from(sharedCards)
      .where(and(eq(keyId, of.keyId), gte(day, of.firstDay)))
      .groupBy(address)
      .orderBy(sql`count desc`, address)
      .limit(of.limit),
  )
  const card = one({ keyId, address }, (of, { select }) =>
    select({ asset, query })
      .from(sharedCards)
      .where(matches({ keyId, address }, of))
      .orderBy(desc(day))
      .limit(1),
  )
  const days = all({ keyId, firstDay: day, lastDay: day }, (of, { select }) =>
    select({ day: shareDays.day, network: shareDays.network, count: shareDays.count })
      .from(shareDays)
      .where(and(eq(shareDays.keyId, of.keyId), between(shareDays.day, of.firstDay, of.lastDay)))
      .orderBy(shareDays.day, shareDays.network),
  )
  const keys = all({ firstDay: day, limit: anyNumber }, (of, { select }) =>
    select({ keyId: shareDays.keyId, count: sql<number>`sum(${shareDays.count})`.as('count') })
      .from(shareDays)
      .where(and(gte(shareDays.day, of.firstDay), sql`${shareDays.keyId} <> ''`))
      .groupBy(shareDays.keyId)
      .orderBy(sql`count desc`, shareDays.keyId)
      .limit(of.limit),
  )

  return {
    /**
     * `networks` is how many there are: each may need a row without an address. Belongs into a transaction that has
     * `sharesLock`.
     */
    *add(cards: readonly SharedCard[], networks: number): Steps<void> {
      for (const sum of sumsOf(cards)) yield* addSum(sum)
      const free = new Map<string, number>()
      for (const card of cards) {
        const { keyId, day, network, address, count: added } = card
        if (yield* raise({ keyId, day, network, address, added })) continue
        const name = `${day} ${keyId}`
        const rows = free.get(name) ?? cardRowsMax - networks - (yield* rowsOf({ keyId, day }))
        free.set(name, rows - 1)
        yield* addCard(rows > 0 ? card : withoutCard(card))
      }
    },
    newest: (keyId: string, firstDay: number, limit: number) => newest({ keyId, firstDay, limit }),
    /** Sums by card since `firstDay`, the most frequent first; the address is empty for cards without a row. */
    cards: (keyId: string, firstDay: number, limit: number) => cards({ keyId, firstDay, limit }),
    /** A card of a key can be drawn again from this. */
    card: (keyId: string, address: string) => card({ keyId, address }),
    days: (keyId: string, firstDay: number, lastDay: number): Operation<readonly ShareDay[]> =>
      days({ keyId, firstDay, lastDay }),
    keys: (firstDay: number, limit: number) => keys({ firstDay, limit }),
    pruneCards: prune(sharedCards, day, cardKey),
    pruneDays: prune(shareDays, shareDays.day, dayKey),
  }
}

function sumsOf(cards: readonly SharedCard[]) {
  const sums = new Map<string, typeof shareDays.$inferSelect>()
  for (const { keyId: own, day, network, count } of cards)
    for (const keyId of [own, allKeys]) {
      const name = `${day} ${network} ${keyId}`
      sums.set(name, { keyId, day, network, count: count + (sums.get(name)?.count ?? 0) })
    }
  return sums.values()
}
