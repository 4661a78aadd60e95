import type { Sqlite } from '../sqlite.ts'
import type { TrafficKind } from '../traffic.ts'
import { sqliteTexts } from './sqlite-texts.ts'

/** The statements of quota batches, which run to their end in one turn of the event loop. */
export type QuotaStatements = ReturnType<typeof prepareQuotaStatements>

export function prepareQuotaStatements(sqlite: Sqlite) {
  const used = sqlite.prepare<{ used: number }>('select used from usage_days where day = ? and bucket = ?')
  const setUsed = sqlite.prepare(
    'insert into usage_days (day, bucket, used) values (?, ?, ?) on conflict do update set used = excluded.used',
  )
  const has = sqlite.prepare('select 1 from seen_days where day = ? and bucket = ? and thing = ?')
  const add = sqlite.prepare(
    'insert into seen_days (day, bucket, thing) values (?, ?, ?) on conflict do nothing',
  )
  const remove = sqlite.prepare('delete from seen_days where day = ? and bucket = ? and thing = ?')
  const countRelease = sqlite.prepare(
    `update generations set generation = generation + 1 where name = 'releases'`,
  )
  const addTraffic = sqlite.prepare(sqliteTexts.addTraffic)
  const revision = sqlite.prepare<{ revision: number }>('select revision from keys where id = ?')
  const generation = sqlite.prepare<{ generation: number }>(
    `select generation from generations where name = 'keys'`,
  )
  return {
    usage: {
      used: (day: number, bucket: string): number => used.get(day, bucket)?.used ?? 0,
      set: (day: number, bucket: string, count: number): void => void setUsed.run(day, bucket, count),
    },
    deduplication: {
      has: (day: number, bucket: string, dedupKey: string): boolean =>
        has.get(day, bucket, dedupKey) !== undefined,
      add: (day: number, bucket: string, dedupKey: string): void => void add.run(day, bucket, dedupKey),
      remove(day: number, bucket: string, dedupKey: string): void {
        remove.run(day, bucket, dedupKey)
        countRelease.run()
      },
    },
    traffic: {
      add: (day: number, { endpoint, auth, status }: TrafficKind, count: number): void =>
        void addTraffic.run(day, endpoint, auth, status, count),
    },
    keys: {
      /** Another number after each change of any key. */
      generation: (): number | undefined => generation.get()?.generation,
      /** The revision of the key's row. Undefined: there is no such key. */
      revision: (id: string): number | undefined => revision.get(id)?.revision,
    },
  }
}
