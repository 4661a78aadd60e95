import { and, asc, eq, gt, inArray, lt, lte, notExists, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyNumber, anyText, matches, queriesOf } from './query.ts'
import { keys, leakedSecrets, signedAddresses } from './schema.ts'

/** How many days may pass before a later view of an address is written. */
export const viewDays = 30

export type SignedAddressTable = ReturnType<typeof createSignedAddressTable>

/** Signed addresses that were answered, and secrets that leaked. The meter adds addresses. */
export function createSignedAddressTable(database: Database) {
  const { all, countUpTo, one, run, write } = queriesOf(database)
  const { keyId, digest, version, firstDay, lastViewDay } = signedAddresses
  const find = one({ keyId, digest, formerName: anyText }, (of, { select }) => {
    const leak = select({ one: sql`1` })
      .from(leakedSecrets)
      .where(
        and(
          eq(leakedSecrets.keyId, keyId),
          eq(leakedSecrets.version, version),
          sql`${leakedSecrets.sinceDay} <= ${firstDay}`,
        ),
      )
    return select({ version })
      .from(signedAddresses)
      .where(and(eq(keyId, of.keyId), inArray(digest, [of.digest, of.formerName]), notExists(leak)))
  })
  const setView = write({ keyId, digest, lastViewDay, dueDay: lastViewDay }, (of, { update }) =>
    update(signedAddresses)
      .set({ lastViewDay: of.lastViewDay })
      .where(and(matches({ keyId, digest }, of), lte(lastViewDay, of.dueDay))),
  )
  const count = countUpTo({ keyId }, (of, { select }) =>
    select({ one: sql`1` }).from(signedAddresses).where(eq(keyId, of.keyId)),
  )
  const leak = write(
    { keyId: leakedSecrets.keyId, version: leakedSecrets.version, sinceDay: leakedSecrets.sinceDay },
    (values, { insert }) => insert(leakedSecrets).values(values).onConflictDoNothing(),
  )
  const nextKeys = all({ afterId: keys.id, limit: anyNumber }, (of, { select }) =>
    select({ id: keys.id }).from(keys).where(gt(keys.id, of.afterId)).orderBy(asc(keys.id)).limit(of.limit),
  )
  const pageEnd = one({ keyId, after: digest, skipped: anyNumber }, (of, { select }) =>
    select({ digest })
      .from(signedAddresses)
      .where(and(eq(keyId, of.keyId), gt(digest, of.after)))
      .orderBy(asc(digest))
      .limit(1)
      .offset(of.skipped),
  )
  const removeUnseen = run({ keyId, beforeDay: lastViewDay, limit: anyNumber }, (of, { select, remove }) => {
    const unseen = select({ keyId, digest })
      .from(signedAddresses)
      .where(and(eq(keyId, of.keyId), lt(lastViewDay, of.beforeDay)))
      .orderBy(asc(lastViewDay))
      .limit(of.limit)
    return remove(signedAddresses).where(sql`(${keyId}, ${digest}) in ${unseen}`)
  })

  return {
    /** The version of the secret under which an address was counted; undefined if it was not, or that secret leaked. */
    findVersion: (keyId: string, digest: string, formerName = digest) =>
      find({ keyId, digest, formerName }).as((row) => row?.version),
    /** Notes a view that the meter does not see. */
    setView: (keyId: string, digest: string, lastViewDay: number) =>
      setView({ keyId, digest, lastViewDay, dueDay: lastViewDay - viewDays }),
    /** How many addresses of a key were answered, up to `max`. */
    count: (keyId: string, max = 10_000) => count({ keyId, max }),
    /** Refuses every address that was first counted under this version of the secret since that day. */
    leak: (keyId: string, version: number, sinceDay: number) => leak({ keyId, version, sinceDay }),
    /** The ids of the next keys in their order. */
    nextKeys: (afterId: string, limit: number) => nextKeys({ afterId, limit }),
    /** The last digest of a page of `size` addresses; undefined if there are not as many. */
    pageEnd: (keyId: string, after: string, size: number) =>
      pageEnd({ keyId, after, skipped: size - 1 }).as((row) => row?.digest),
    /** Removes at most `limit` addresses whose last view was before that day, the longest unseen first. Returns how many. */
    removeUnseen: (keyId: string, beforeDay: number, limit: number) =>
      removeUnseen({ keyId, beforeDay, limit }),
  }
}
