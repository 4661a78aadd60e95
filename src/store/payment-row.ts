import type { payments } from './schema.ts'

export type PaymentRow = Readonly<typeof payments.$inferSelect>

export type PaymentState = PaymentRow['state']

type NewPayment = Readonly<typeof payments.$inferInsert>

export type NewAuthorization = NewPayment & {
  readonly method: 'authorization'
  readonly nonce: string
  readonly state: 'reserved'
}

export type NewTransfer = NewPayment & {
  readonly method: 'transfer'
  readonly txHash: string
  readonly state: 'settled'
}
