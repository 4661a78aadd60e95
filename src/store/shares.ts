import { and, between, desc, eq, gte, sql } from 'drizzle-orm'
import type { Database, Steps } from './database.ts'
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
  const { addCounts, all, change, number, one, prune } = queriesOf(database)
  const { keyId, day, network, address, asset, title, url, query, count } = sharedCards
  const cardKey = [keyId, day, network, address]
  const dayKey = [shareDays.keyId, shareDays.day, shareDays.network]
  const raise = change([keyId, day, network, address, anyNumber], (of, { update }) =>
    update(sharedCards)
      .set({ count: sql`${count} + ${of[4]}` })
      .where(matches(cardKey, of)),
  )
  const rowsOf = number([keyId, day], (of, { select }) =>
    select({ number: sql<number>`count(*)` })
      .from(sharedCards)
      .where(and(matches([keyId, day], of), sql`${address} <> ''`)),
  )
  const addCard = addCounts(sharedCards, cardKey, 'count')
  const addSum = addCounts(shareDays, dayKey, 'count')

  return {
    /** Each of the `networks` may need a row without an address. Belongs into a transaction that has `sharesLock`. */
    *add(cards: readonly SharedCard[], networks: number): Steps<void> {
      for (const sum of sumsOf(cards)) yield* addSum(sum)
      const free = new Map<string, number>()
      for (const card of cards) {
        const { keyId, day, network, address, count: added } = card
        if (yield* raise(keyId, day, network, address, added)) continue
        const name = `${day} ${keyId}`
        const rows = free.get(name) ?? cardRowsMax - networks - (yield* rowsOf(keyId, day))
        free.set(name, rows - 1)
        yield* addCard(rows > 0 ? card : withoutCard(card))
      }
    },
    newest: all([keyId, day, anyNumber], ([of, firstDay, limit], { select }) =>
      select({ day, network, title, url, count })
        .from(sharedCards)
        .where(and(eq(keyId, of), gte(day, firstDay)))
        .orderBy(desc(day), desc(count), network, address)
        .limit(limit),
    ),
    /** Sums by card since `firstDay`, the most frequent first; the address is empty for cards without a row. */
    cards: all([keyId, day, anyNumber], ([of, firstDay, limit], { select }) =>
      select({
        address,
        asset: sql<string>`max(${asset})`,
        title: sql<string>`max(${title})`,
        url: sql<string>`max(${url})`,
        isDrawable: sql<number>`max(case when ${query} = '' then 0 else 1 end)`.as('isDrawable'),
        count: sql<number>`sum(${count})`.as('count'),
      })
        .from(sharedCards)
        .where(and(eq(keyId, of), gte(day, firstDay)))
        .groupBy(address)
        .orderBy(sql`count desc`, address)
        .limit(limit),
    ),
    /** A card of a key can be drawn again from this. */
    card: one([keyId, address], (of, { select }) =>
      select({ asset, query })
        .from(sharedCards)
        .where(matches([keyId, address], of))
        .orderBy(desc(day))
        .limit(1),
    ),
    days: all([keyId, day, day], ([of, firstDay, lastDay], { select }) =>
      select({ day: shareDays.day, network: shareDays.network, count: shareDays.count })
        .from(shareDays)
        .where(and(eq(shareDays.keyId, of), between(shareDays.day, firstDay, lastDay)))
        .orderBy(shareDays.day, shareDays.network),
    ),
    keys: all([day, anyNumber], ([firstDay, limit], { select }) =>
      select({ keyId: shareDays.keyId, count: sql<number>`sum(${shareDays.count})`.as('count') })
        .from(shareDays)
        .where(and(gte(shareDays.day, firstDay), sql`${shareDays.keyId} <> ''`))
        .groupBy(shareDays.keyId)
        .orderBy(sql`count desc`, shareDays.keyId)
        .limit(limit),
    ),
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
