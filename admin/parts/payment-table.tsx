/** @jsxImportSource #jsx */
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import type { ListedPayment } from '../../src/store/payment-list.ts'
import type { PaymentRow } from '../../src/store/payment-row.ts'
import { shortHash } from './hash.tsx'
import { pill, type Tone } from './pill.tsx'
import { type Column, scrollTable, tableRow } from './table.tsx'

/** Names of the states, in the order of the list's filter. */
export const stateLabels: Readonly<Record<PaymentRow['state'], string>> = {
  settled: 'Settled',
  submitted: 'Pending',
  reserved: 'Authorized',
  failed: 'Failed',
  released: 'Released',
  reorged: 'Reorged',
}

const tones: Readonly<Record<PaymentRow['state'], Tone>> = {
  settled: 'ok',
  submitted: 'warn',
  reserved: 'warn',
  failed: 'bad',
  released: 'plain',
  reorged: 'bad',
}

export function statePill({ state }: Pick<PaymentRow, 'state'>): Markup {
  return pill(stateLabels[state], tones[state])
}

const columns: readonly Column<ListedPayment>[] = [
  { head: 'Payment', class: 'c-name mono', cell: paymentLink },
  {
    head: 'State',
    class: 'c-status',
    cell: (row) => [statePill(row), row.reason && <small>{row.reason}</small>],
  },
  { head: 'Amount', class: 'right num', cell: ({ amountMicros }) => formatMicros(amountMicros) },
  { head: 'Spent', class: 'right num c-made', cell: ({ spentMicros }) => formatMicros(spentMicros) },
  { head: 'For', class: 'c-for', cell: ({ endpoint }) => endpoint ?? <span class="muted">nothing yet</span> },
  { head: 'Method', class: 'c-made', cell: ({ via }) => via },
  { head: 'From', class: 'mono', title: ({ payer }) => payer, cell: ({ payer }) => shortHash(payer) },
  { head: 'Time, UTC', class: 'right c-for', cell: ({ createdAtMs }) => formatTime(createdAtMs) },
]

export function paymentTable(payments: readonly ListedPayment[]): Markup {
  const rows = payments.map((payment) => tableRow(columns, payment))
  return scrollTable({ label: 'Payments, wide table', class: 'log keys', columns, rows })
}

/** A payment's page is found by its transaction's hash, or by its id before it has one. */
function paymentLink({ txHash, id }: PaymentRow): Child {
  const name = txHash ?? id
  return <a href={`/admin/payments/${name}`}>{shortHash(name)}</a>
}
