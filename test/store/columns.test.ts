import { expect, test } from 'bun:test'
import { getTableColumns, type InferSelectModel } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type AuditEntry, auditColumns } from '../../src/store/audit.ts'
import {
  type BrandFileRow,
  type BrandRevisionFileRow,
  type BrandRevisionRow,
  type BrandRow,
  brandColumns,
  brandFileColumns,
  brandRevisionColumns,
  brandRevisionFileColumns,
} from '../../src/store/brands.ts'
import { type ChargeRow, chargeColumns } from '../../src/store/charges.ts'
import { type KeyRow, keyColumns } from '../../src/store/keys.ts'
import { type PaymentRow, paymentColumns } from '../../src/store/payment-row.ts'
import * as schema from '../../src/store/schema.ts'
import { type SessionRow, sessionColumns } from '../../src/store/sessions.ts'

/** A row as the schema types it; what drizzle calls a Buffer is a Uint8Array. */
type SchemaRow<Table extends SQLiteTable> = {
  readonly [Column in keyof InferSelectModel<Table>]: WithoutBuffer<InferSelectModel<Table>[Column]>
}
type WithoutBuffer<Value> = Value extends Uint8Array ? Uint8Array : Value

/** The type check fails where a row of ours has a property that the schema has not, or of another type. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

const haveTypesOfSchema: {
  readonly keys: Same<KeyRow, SchemaRow<typeof schema.keys>>
  readonly payments: Same<PaymentRow, SchemaRow<typeof schema.payments>>
  readonly charges: Same<ChargeRow, SchemaRow<typeof schema.charges>>
  readonly sessions: Same<SessionRow, SchemaRow<typeof schema.sessions>>
  readonly audit_entries: Same<AuditEntry, SchemaRow<typeof schema.auditEntries>>
  readonly brands: Same<BrandRow, SchemaRow<typeof schema.brands>>
  readonly brand_revisions: Same<BrandRevisionRow, SchemaRow<typeof schema.brandRevisions>>
  readonly brand_revision_files: Same<BrandRevisionFileRow, SchemaRow<typeof schema.brandRevisionFiles>>
  readonly brand_files: Same<BrandFileRow, SchemaRow<typeof schema.brandFiles>>
} = {
  keys: true,
  payments: true,
  charges: true,
  sessions: true,
  audit_entries: true,
  brands: true,
  brand_revisions: true,
  brand_revision_files: true,
  brand_files: true,
}

test.each([
  ['keys', schema.keys, keyColumns],
  ['payments', schema.payments, paymentColumns],
  ['charges', schema.charges, chargeColumns],
  ['sessions', schema.sessions, sessionColumns],
  ['audit_entries', schema.auditEntries, auditColumns],
  ['brands', schema.brands, brandColumns],
  ['brand_revisions', schema.brandRevisions, brandRevisionColumns],
  ['brand_revision_files', schema.brandRevisionFiles, brandRevisionFileColumns],
  ['brand_files', schema.brandFiles, brandFileColumns],
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
