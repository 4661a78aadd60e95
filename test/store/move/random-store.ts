import type { DatabaseSync } from 'node:sqlite'
import { is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../../src/store/schema.ts'
import { randomFrom } from '../../support/random.ts'

type Random = ReturnType<typeof randomFrom>
type Value = null | number | string | Uint8Array
type Row = Record<string, Value>

const dayMs = 86_400_000
const letters = [...'abcXYZ 019_-:/\\\'"%,{}()\n\t\r;|~\u0001\u0085äß漢字🏳️‍🌈\u{10ffff}']

/** Tables whose rows are not about as many as the scale. */
const rowsOf: Readonly<Record<string, (scale: number) => number>> = {
  facts: () => 8,
  payments: (scale) => scale / 4,
  charges: (scale) => scale / 4,
  settlements: (scale) => scale / 4,
  transfer_logs: (scale) => scale / 4,
  sessions: (scale) => scale / 10,
  alerts: (scale) => scale / 10,
  audit_entries: (scale) => scale / 10,
  brands: () => 20,
  brand_revisions: () => 60,
  brand_files: () => 60,
}

/** Fills every table of a SQLite database with random rows that its rules allow. The scale is about the rows of a table. */
export function fillRandomly(database: DatabaseSync, seed: number, scale: number): void {
  const random = randomFrom(seed)
  const tables = Object.values<unknown>(schema)
    .filter((value) => is(value, SQLiteTable))
    .map(getTableConfig)
    .filter(({ name }) => name !== 'generations')
    // Rows that others refer to come first.
    .toSorted((one, other) => one.foreignKeys.length - other.foreignKeys.length)
  database.exec('begin')
  database.exec(`insert into facts values ('created_at_ms', '1700000000000')`)
  for (const { name, columns, foreignKeys } of tables) {
    const given = columns.filter((column) => !('autoIncrement' in column && column.autoIncrement))
    const references = new Map(
      foreignKeys.map((key) => {
        const { columns, foreignColumns, foreignTable } = key.reference()
        const sql = `select ${foreignColumns[0]?.name} as id from ${getTableConfig(foreignTable).name}`
        return [
          columns[0]?.name ?? '',
          database
            .prepare(sql)
            .all()
            .map(({ id }) => String(id)),
        ] as const
      }),
    )
    const names = given.map((column) => column.name)
    const places = names.map(() => '?').join(', ')
    const insert = database.prepare(
      `insert into ${name} (${names.join(', ')}) values (${places}) on conflict do nothing`,
    )
    for (let n = 0; n < (rowsOf[name]?.(scale) ?? scale); n += 1) {
      const values = given.map((column): [string, Value] => {
        const ids = references.get(column.name)
        return [column.name, ids === undefined ? randomValue(random, column, n) : random.pick(ids)]
      })
      const row: Row = Object.fromEntries(values)
      Object.assign(row, lawful[name]?.(row, random, n))
      insert.run(...names.map((column) => row[column] ?? null))
    }
  }
  database.exec('commit')
}

function randomValue(random: Random, column: SQLiteColumn, n: number): Value {
  const { name, enumValues = [] } = column
  if (!column.notNull && !column.primary && random.below(2) === 0) return null
  if (enumValues.length > 0) return random.pick(enumValues)
  if (column.getSQLType() === 'blob') return bytes(random)
  if (column.getSQLType() === 'text') {
    const isJson = ['look', 'facts', 'body', 'response_head'].includes(name)
    const words = text(random, 60)
    return isJson ? JSON.stringify({ footer: words }) : column.primary ? `${n} ${words}` : words
  }
  if (name.endsWith('_ms')) return 20_000 * dayMs + random.below(5 * dayMs)
  return name === 'day' ? 20_000 + random.below(30) : random.below(2 ** 31)
}

/** Values in the place of random ones that a rule of the table, or the server, would refuse. */
const lawful: Readonly<Record<string, (row: Row, random: Random, n: number) => Row>> = {
  facts: (_, random, n) => ({ name: `fact ${n} ${text(random, 12)}` }),
  keys: (row, random, n) => ({
    id: `mk_${random.below(2 ** 31).toString(36)}${n.toString(36)}`,
    site_id: row['site_id'] === null ? null : `ms_${n}`,
    hosts: random.pick(['', 'example.com', 'example.com,xn--bcher-kva.example']),
    look: random.pick(['{}', '{"theme":"paper","accent":"#c00"}']),
    assets: random.pick(['', 'og', 'og,badge']),
  }),
  payments: (_, random, n) => {
    const hash = `0x${n.toString(16).padStart(10, '0')}${random.below(2 ** 31).toString(16)}`
    const [method, txHash, nonce] =
      random.below(2) === 0 ? ['transfer', hash, null] : ['authorization', null, hash]
    const amount = 1 + random.below(1e9)
    const sums = { amount_micros: amount, spent_micros: random.below(amount) }
    return { method: method ?? '', tx_hash: txHash ?? null, nonce: nonce ?? null, ...sums }
  },
  transfer_logs: (_, random, n) => ({ tx_hash: `0x${n}${random.below(2 ** 31)}` }),
  settlements: (_, random) => ({ is_settled: random.below(2) }),
  charges: (row, random, n) => {
    const common = { slot: `slot ${n}`, amount_micros: 1 + random.below(10_000) }
    if (row['state'] === 'done') return { ...common, done_at_ms: row['created_at_ms'] ?? 0 }
    return { ...common, done_at_ms: null, response_head: null, response_body: null }
  },
  brands: (_, random, n) => ({ slug: `brand-${n}`, revision: 1 + random.below(5) }),
}

function text(random: Random, charsMax: number): string {
  return Array.from({ length: random.below(charsMax) }, () => random.pick(letters)).join('')
}

/** Some are larger than what is copied at once. */
function bytes(random: Random): Uint8Array {
  const length = random.below(100) === 0 ? 5_000_000 : random.below(3_000)
  return Uint8Array.from({ length }, () => random.below(256))
}
