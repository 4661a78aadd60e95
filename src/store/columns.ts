import type { DatabaseValue } from './operation.ts'

/** The column that holds each property of a row. */
export type Columns<Row> = Readonly<Record<keyof Row & string, string>>

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** Columns that are named like their properties, in snake case. `lists`: the properties, with spaces between them. */
export function columnsOf<List extends string>(
  ...lists: readonly List[]
): Readonly<Record<Words<List>, string>> {
  const properties = lists.flatMap((list) => list.split(' '))
  return Object.fromEntries(
    properties.map((property) => [
      property,
      property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ]),
  ) as Record<Words<List>, string>
}

/** What some properties of a row are, or are to become. */
type Values<Names> = { readonly [Property in keyof Names]?: DatabaseValue | undefined }

/** A select list that makes rows: `id, created_at_ms as "createdAtMs"`. */
export function selectList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([property, column]) => (property === column ? column : `${column} as "${property}"`))
    .join(', ')
}

/** An insert of one row with a parameter for every column. `rowValues` gives the values. */
export function insertInto(table: string, columns: Readonly<Record<string, string>>): string {
  const names = Object.values(columns)
  return `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
}

/** The values of a row in the order of its columns; null for what the row leaves out. */
export function rowValues<Names extends Readonly<Record<string, string>>>(
  columns: Names,
  row: Values<Names>,
): DatabaseValue[] {
  const values: DatabaseValue[] = []
  for (const property in columns) values.push(row[property] ?? null)
  return values
}

/** The `set` of an update, with its values. A property that is undefined stays as it is. */
export function assignments<Names extends Readonly<Record<string, string>>>(
  columns: Names,
  changes: Values<Names>,
): { readonly sql: string; readonly values: readonly DatabaseValue[] } {
  const parts: string[] = []
  const values: DatabaseValue[] = []
  for (const property in columns) {
    const value = changes[property]
    if (value === undefined) continue
    parts.push(`${columns[property]} = ?`)
    values.push(value)
  }
  return { sql: parts.join(', '), values }
}

/** A row to insert: what may be null and what has a default can be left out. */
export type NewRow<Row, Defaulted extends keyof Row = never> = Omit<Row, Nullable<Row> | Defaulted> & {
  readonly [Property in Nullable<Row> | Defaulted]?: Row[Property] | undefined
}

type Nullable<Row> = { [Property in keyof Row]: null extends Row[Property] ? Property : never }[keyof Row]
