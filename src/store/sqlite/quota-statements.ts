import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BuiltQuery } from '../builders.ts'
import { matches } from '../matches.ts'
import { type Build, compileQuery, type Kinds, type RowOf, type Values } from '../query.ts'
import {
  deduplicationDays,
  generations,
  keys,
  leakedSecrets,
  signedAddresses,
  trafficDays,
  usageDays,
} from '../schema.ts'
import type { Sqlite } from '../sqlite.ts'
import { sqliteBuilders } from './sqlite-builders.ts'
import { sqliteTexts } from './sqlite-texts.ts'

/** The statements of quota batches, which run to their end in one turn of the event loop. */
export type QuotaStatements = ReturnType<typeof prepareQuotaStatements>

export function prepareQuotaStatements(sqlite: Sqlite) {
  function prepare<Of extends Kinds, Result extends BuiltQuery>(kinds: Of, build: Build<Of, Result>) {
    const { sql: text, bind } = compileQuery(kinds, build, sqliteBuilders)
    const statement = sqlite.prepare<RowOf<Result>>(text)
    return {
      get: (values: Values<Of>) => statement.get(...bind(values)),
      run: (values: Values<Of>): void => void statement.run(...bind(values)),
    }
  }

  const { day, bucket, used } = usageDays
  const dedup = {
    day: deduplicationDays.day,
    bucket: deduplicationDays.bucket,
    dedupKey: deduplicationDays.dedupKey,
  }
  const { keyId, digest, version, firstDay, lastViewDay } = signedAddresses
  const { endpoint, auth, status, count } = trafficDays
  return {
    findUsed: prepare({ day, bucket }, (of, { select }) =>
      select({ used }).from(usageDays).where(matches({ day, bucket }, of)),
    ),
    setUsed: prepare({ day, bucket, used }, (values, { insert }) =>
      insert(usageDays)
        .values(values)
        .onConflictDoUpdate({ target: [day, bucket], set: { used: sql`excluded.used` } }),
    ),
    findDedupKey: prepare(dedup, (of, { select }) =>
      select({ day: dedup.day }).from(deduplicationDays).where(matches(dedup, of)),
    ),
    addDedupKey: prepare(dedup, (values, { insert }) =>
      insert(deduplicationDays).values(values).onConflictDoNothing(),
    ),
    removeDedupKey: prepare(dedup, (of, { remove }) => remove(deduplicationDays).where(matches(dedup, of))),
    findAddress: prepare({ keyId, digest }, (of, { select }) =>
      select({ version, lastViewDay }).from(signedAddresses).where(matches({ keyId, digest }, of)),
    ),
    addAddress: prepare({ keyId, digest, version, firstDay, lastViewDay }, (values, { insert }) =>
      insert(signedAddresses).values(values),
    ),
    /** Names by its digest what was counted under the name of before. */
    renameAddress: prepare({ keyId, digest, version, formerName: digest }, (of, { update }) =>
      update(signedAddresses)
        .set({ digest: of.digest, version: of.version })
        .where(and(eq(keyId, of.keyId), eq(digest, of.formerName))),
    ),
    setView: prepare({ keyId, digest, lastViewDay }, (of, { update }) =>
      update(signedAddresses).set({ lastViewDay: of.lastViewDay }).where(matches({ keyId, digest }, of)),
    ),
    /** Lets the row follow this version if the secret that it follows has leaked. */
    leaveLeaked: prepare({ keyId, digest, version }, (of, { update, select }) => {
      const leaked = select({ version: leakedSecrets.version })
        .from(leakedSecrets)
        .where(eq(leakedSecrets.keyId, of.keyId))
      return update(signedAddresses)
        .set({ version: of.version })
        .where(and(matches({ keyId, digest }, of), inArray(version, leaked)))
    }),
    removeAddress: prepare({ keyId, digest, firstDay }, (of, { remove }) =>
      remove(signedAddresses).where(matches({ keyId, digest, firstDay }, of)),
    ),
    /** What was granted before may be refused now. */
    countRelease: prepare({}, (_, { update }) =>
      update(generations)
        .set({ generation: sql`${generations.generation} + 1` })
        .where(eq(generations.name, 'releases')),
    ),
    addTraffic: prepare({ day: trafficDays.day, endpoint, auth, status, count }, (of, { raw }) =>
      raw(sqliteTexts.addTraffic(of)),
    ),
    /** The revision of a key's row; none where there is no such key. */
    findRevision: prepare({ id: keys.id }, (of, { select }) =>
      select({ revision: keys.revision }).from(keys).where(eq(keys.id, of.id)),
    ),
    /** Another number after each change of any key. */
    findGeneration: prepare({}, (_, { select }) =>
      select({ generation: generations.generation }).from(generations).where(eq(generations.name, 'keys')),
    ),
  }
}
