import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BuiltQuery } from '../builders.ts'
import { matches } from '../matches.ts'
import { type Build, compileQuery, type Kinds, type RowOf, type Values } from '../query.ts'
import type { CountedAddress } from '../quota-reservation.ts'
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
import type { TrafficKind } from '../traffic.ts'
import { sqliteBuilders } from './sqlite-builders.ts'
import { sqliteTexts } from './sqlite-texts.ts'

/** The statements of quota batches, which run to their end in one turn of the event loop. */
export type QuotaStatements = ReturnType<typeof prepareQuotaStatements>

export function prepareQuotaStatements(sqlite: Sqlite) {
  return {
    usage: prepareUsage(sqlite),
    deduplication: prepareDeduplication(sqlite),
    addresses: prepareAddresses(sqlite),
    traffic: prepareTraffic(sqlite),
    keys: prepareKeys(sqlite),
  }
}

function prepareUsage(sqlite: Sqlite) {
  const { day, bucket, used } = usageDays
  const find = prepare(sqlite, { day, bucket }, (of, { select }) =>
    select({ used }).from(usageDays).where(matches({ day, bucket }, of)),
  )
  const set = prepare(sqlite, { day, bucket, used }, (values, { insert }) =>
    insert(usageDays)
      .values(values)
      .onConflictDoUpdate({ target: [day, bucket], set: { used: sql`excluded.used` } }),
  )
  return {
    used: (day: number, bucket: string): number => find.get({ day, bucket })?.used ?? 0,
    set: (day: number, bucket: string, used: number): void => set.run({ day, bucket, used }),
  }
}

function prepareDeduplication(sqlite: Sqlite) {
  const { day, bucket, dedupKey } = deduplicationDays
  const kinds = { day, bucket, dedupKey }
  const find = prepare(sqlite, kinds, (of, { select }) =>
    select({ day }).from(deduplicationDays).where(matches({ day, bucket, dedupKey }, of)),
  )
  const add = prepare(sqlite, kinds, (values, { insert }) =>
    insert(deduplicationDays).values(values).onConflictDoNothing(),
  )
  const drop = prepare(sqlite, kinds, (of, { remove }) =>
    remove(deduplicationDays).where(matches({ day, bucket, dedupKey }, of)),
  )
  const countRelease = prepareCountRelease(sqlite)
  return {
    has: (day: number, bucket: string, dedupKey: string): boolean =>
      find.get({ day, bucket, dedupKey }) !== undefined,
    add: (day: number, bucket: string, dedupKey: string): void => add.run({ day, bucket, dedupKey }),
    remove(day: number, bucket: string, dedupKey: string): void {
      drop.run({ day, bucket, dedupKey })
      countRelease.run({})
    },
  }
}

function prepareCountRelease(sqlite: Sqlite) {
  return prepare(sqlite, {}, (_, { update }) =>
    update(generations)
      .set({ generation: sql`${generations.generation} + 1` })
      .where(eq(generations.name, 'releases')),
  )
}

function prepareAddresses(sqlite: Sqlite) {
  const { keyId, digest, version, firstDay, lastViewDay } = signedAddresses
  const find = prepare(sqlite, { keyId, digest }, (of, { select }) =>
    select({ version, lastViewDay }).from(signedAddresses).where(matches({ keyId, digest }, of)),
  )
  const add = prepare(sqlite, { keyId, digest, version, firstDay, lastViewDay }, (values, { insert }) =>
    insert(signedAddresses).values(values),
  )
  const rename = prepare(sqlite, { keyId, digest, version, formerName: digest }, (of, { update }) =>
    update(signedAddresses)
      .set({ digest: of.digest, version: of.version })
      .where(and(eq(keyId, of.keyId), eq(digest, of.formerName))),
  )
  const setView = prepare(sqlite, { keyId, digest, lastViewDay }, (of, { update }) =>
    update(signedAddresses).set({ lastViewDay: of.lastViewDay }).where(matches({ keyId, digest }, of)),
  )
  const leaveLeaked = prepare(sqlite, { keyId, digest, version }, (of, { update, select }) => {
    const leaked = select({ version: leakedSecrets.version })
      .from(leakedSecrets)
      .where(eq(leakedSecrets.keyId, of.keyId))
    return update(signedAddresses)
      .set({ version: of.version })
      .where(and(matches({ keyId, digest }, of), inArray(version, leaked)))
  })
  const drop = prepare(sqlite, { keyId, digest, firstDay }, (of, { remove }) =>
    remove(signedAddresses).where(matches({ keyId, digest, firstDay }, of)),
  )
  const countRelease = prepareCountRelease(sqlite)
  return {
    find: (keyId: string, digest: string) => find.get({ keyId, digest }),
    add: (address: CountedAddress, day: number): void =>
      add.run({ ...address, firstDay: day, lastViewDay: day }),
    /** Names by its digest what was counted under the name of before. */
    rename: (address: CountedAddress, formerName: string): void => rename.run({ ...address, formerName }),
    setView: ({ keyId, digest }: CountedAddress, day: number): void =>
      setView.run({ keyId, digest, lastViewDay: day }),
    /** Lets the row follow this version if the secret that it follows has leaked. */
    leaveLeaked: ({ keyId, digest, version }: CountedAddress): void =>
      leaveLeaked.run({ keyId, digest, version }),
    remove({ keyId, digest }: CountedAddress, firstDay: number): void {
      drop.run({ keyId, digest, firstDay })
      countRelease.run({})
    },
  }
}

function prepareTraffic(sqlite: Sqlite) {
  const { day, endpoint, auth, status, count } = trafficDays
  const add = prepare(sqlite, { day, endpoint, auth, status, count }, (of, { raw }) =>
    raw(sqliteTexts.addTraffic(of)),
  )
  return {
    add: (day: number, kind: TrafficKind, count: number): void => add.run({ day, ...kind, count }),
  }
}

function prepareKeys(sqlite: Sqlite) {
  const { id, revision } = keys
  const { name, generation } = generations
  const findRevision = prepare(sqlite, { id }, (of, { select }) =>
    select({ revision }).from(keys).where(eq(id, of.id)),
  )
  const findGeneration = prepare(sqlite, {}, (_, { select }) =>
    select({ generation }).from(generations).where(eq(name, 'keys')),
  )
  return {
    /** Another number after each change of any key. */
    generation: (): number | undefined => findGeneration.get({})?.generation,
    /** The revision of the key's row. Undefined: there is no such key. */
    revision: (id: string): number | undefined => findRevision.get({ id })?.revision,
  }
}

function prepare<Of extends Kinds, Result extends BuiltQuery>(
  sqlite: Sqlite,
  kinds: Of,
  build: Build<Of, Result>,
) {
  const { sql: text, bind } = compileQuery(kinds, build, sqliteBuilders)
  const statement = sqlite.prepare<RowOf<Result>>(text)
  return {
    get: (values: Values<Of>) => statement.get(...bind(values)),
    run: (values: Values<Of>): void => void statement.run(...bind(values)),
  }
}
