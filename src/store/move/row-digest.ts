import { createHash } from 'node:crypto'
import type { RowDigest } from './move-side.ts'
import type { MovedColumn, MovedRow, MoveValue } from './moved-table.ts'

/**
 * The SHA-256 of rows, equal in both databases for equal rows: each value is written with its length before it, so no two
 * lists of rows look the same. Bytes are written as the SHA-256 of them.
 */
export function digestOf(columns: readonly MovedColumn[], rows: readonly MovedRow[]): RowDigest {
  let text = ''
  for (const row of rows) for (const { name } of columns) text += written(row[name] ?? null)
  return { rows: rows.length, sha256: createHash('sha256').update(text).digest('hex') }
}

/** The digest in PostgreSQL: an expression over one row, and one over all rows. */
export function postgresLine(columns: readonly MovedColumn[]): string {
  return columns
    .map(({ name, isBytes }) => {
      const text = isBytes ? `encode(sha256(${name}), 'hex')` : `${name}::text`
      return `coalesce(octet_length(${text}) || ':' || ${text}, '~')`
    })
    .join(' || ')
}

export function postgresDigest(line: string, order: string): string {
  return `encode(sha256(convert_to(coalesce(string_agg(${line}, '' order by ${order}), ''), 'UTF8')), 'hex')`
}

function written(value: MoveValue): string {
  if (value === null) return '~'
  const text = value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : String(value)
  return `${Buffer.byteLength(text)}:${text}`
}
