import { selectList } from './columns.ts'
import { type Database, lastMs } from './database.ts'
import { type KeyRow, keyColumns } from './keys.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** Lists of keys, page by page. A page reads the rows that it shows and a constant more, however many keys there are. */
export interface KeyList {
  /** Newest first; the cursor is the last id of the page before. */
  newest(status: KeyStatus, limit: number, afterId?: string): Operation<readonly KeyRow[]>
  /** Keys whose id or name contains the text (three characters at least), newest first. */
  search(text: string, limit: number): Operation<readonly KeyRow[]>
  /** The keys that are used most on a day. */
  mostUsed(
    day: number,
    limit: number,
    after?: UseCursor,
  ): Operation<readonly (KeyRow & { readonly used: number })[]>
  /** How many keys are revoked, counted up to `max`. */
  revokedCount(max: number): Operation<number>
  /** Keys whose end lies after one moment and not after the other, revoked ones left out; the cursor is an id. */
  ending(
    order: 'first' | 'last',
    span: TimeSpan,
    limit: number,
    afterId?: string,
  ): Operation<readonly KeyRow[]>
  /** How many keys that is, counted up to `max`. */
  endingCount(span: TimeSpan, max: number): Operation<number>
}

export type KeyStatus = 'any' | 'active' | 'revoked'

/** After one moment, up to another one. */
export interface TimeSpan {
  readonly afterMs: number
  readonly upToMs: number
}

export interface UseCursor {
  readonly used: number
  readonly id: string
}

const columns = selectList(keyColumns)

const conditions: Readonly<Record<KeyStatus, string>> = {
  any: 'true',
  active: 'revoked_at_ms is null',
  revoked: 'revoked_at_ms is not null',
}

export function createKeyList(database: Database): KeyList {
  const { texts } = database
  const { all, countUpTo } = statementsOf(database)
  function newest(status: KeyStatus) {
    return all<[afterId: string, limit: number], KeyRow>(
      `select ${columns} from keys where ${conditions[status]}
         and (created_at_ms, id) < (coalesce((select created_at_ms from keys where id = ?1), ${lastMs}), ?1)
       order by created_at_ms desc, id desc limit ?2`,
    )
  }
  const byStatus = { any: newest('any'), active: newest('active'), revoked: newest('revoked') }
  const search = all<[text: string, limit: number], KeyRow>(texts.searchKeys(columns))
  const mostUsed = all<[day: number, used: number, bucket: string, limit: number], KeyRow & { used: number }>(
    `select ${columns}, used from usage_days${texts.indexedBy('usage_days_by_use')}
       join keys on keys.id = substr(bucket, 5)
     where day = ? and bucket between 'key:' and 'key:~' and (used, bucket) < (?, ?)
     order by used desc, bucket desc limit ?`,
  )
  function ending(comparison: '>' | '<', startMs: number, direction: 'asc' | 'desc') {
    return all<[afterMs: number, upToMs: number, afterId: string, limit: number], KeyRow>(
      `select ${columns} from keys
       where expires_at_ms > ?1 and expires_at_ms <= ?2 and revoked_at_ms is null
         and (expires_at_ms, id) ${comparison} (coalesce((select expires_at_ms from keys where id = ?3), ${startMs}), ?3)
       order by expires_at_ms ${direction}, id ${direction} limit ?4`,
    )
  }
  const byEnd = { first: ending('>', 0, 'asc'), last: ending('<', lastMs, 'desc') }
  const endingCount = countUpTo<[afterMs: number, upToMs: number, max: number]>(
    'keys where expires_at_ms > ? and expires_at_ms <= ? and revoked_at_ms is null',
  )
  return {
    newest: (status, limit, afterId = '') => byStatus[status](afterId, limit),
    search: (text, limit) => search(texts.searchTerm(text), limit),
    mostUsed: (day, limit, after) =>
      mostUsed(day, after?.used ?? Number.MAX_SAFE_INTEGER, `key:${after?.id ?? ''}`, limit),
    revokedCount: countUpTo('keys where revoked_at_ms is not null'),
    ending: (order, { afterMs, upToMs }, limit, afterId = '') =>
      byEnd[order](afterMs, upToMs, afterId, limit),
    endingCount: ({ afterMs, upToMs }, max) => endingCount(afterMs, upToMs, max),
  }
}
