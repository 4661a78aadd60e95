import { expect, test } from 'bun:test'
import { getTableColumns, type InferSelectModel } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type ChargeRow, chargeColumns } from '../../src/store/charges.ts'
import { type PaymentRow, paymentColumns } from '../../src/store/payment-row.ts'
import * as schema from '../../src/store/schema.ts'

/** A row as the schema types it; what drizzle calls a Buffer is a Uint8Array. */
type SchemaRow<Table extends SQLiteTable> = {
  readonly [Column in keyof InferSelectModel<Table>]: WithoutBuffer<InferSelectModel<Table>[Column]>
}
type WithoutBuffer<Value> = Value extends Uint8Array ? Uint8Array : Value

/** The type check fails where a row of ours has a property that the schema has not, or of another type. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

const haveTypesOfSchema: {
  readonly payments: Same<PaymentRow, SchemaRow<typeof schema.payments>>
  readonly charges: Same<ChargeRow, SchemaRow<typeof schema.charges>>
} = {
  payments: true,
  charges: true,
}

test.each([
  ['payments', schema.payments, paymentColumns],
  ['charges', schema.charges, chargeColumns],
] as const)(
  'a row of %s has each column of the schema, under its name and of its type',
  (name, table, columns) => {
    const declared = Object.entries(getTableColumns(table)).map(([property, column]) => [
      property,
      column.name,
    ])
    expect(columns).toEqual(Object.fromEntries(declared))
    expect(haveTypesOfSchema[name]).toBe(true)
  },
)
