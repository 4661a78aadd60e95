/** @jsxImportSource #jsx */

import { formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import type { ListedPayment } from '../../src/store/payment-list.ts'
import type { PaymentRow } from '../../src/store/payment-row.ts'
import { shortHash } from './format.ts'
import { pill, type Tone } from './pill.tsx'
import { scrollTable } from './scroll-table.tsx'

const tones: Readonly<Record<PaymentRow['state'], Tone>> = {
  settled: 'ok',
  submitted: 'warn',
  reserved: 'warn',
  failed: 'bad',
  reorged: 'bad',
  released: 'plain',
}

/** Names of the states, in the order of the list's filter. */
export const stateLabels: Readonly<Record<PaymentRow['state'], string>> = {
  settled: 'Settled',
  submitted: 'Pending',
  reserved: 'Authorized',
  failed: 'Failed',
  released: 'Released',
  reorged: 'Reorged',
}

export function statePill({ state }: Pick<PaymentRow, 'state'>): Markup {
  return pill(stateLabels[state], tones[state])
}

/** Path of a payment's page: by its transaction's hash, or by its id before it has one. */
export function paymentPath({ txHash, id }: Pick<PaymentRow, 'txHash' | 'id'>): string {
  return `/admin/payments/${txHash ?? id}`
}

export function paymentTable(rows: readonly ListedPayment[]): Markup {
  return scrollTable({
    label: 'Payments, wide table',
    class: 'log keys',
    columns: [
      'Payment',
      'State',
      { right: 'Amount' },
      { right: 'Spent' },
      'For',
      'Method',
      'From',
      { right: 'Time, UTC' },
    ],
    rows: rows.map(paymentRow),
  })
}

function paymentRow(row: ListedPayment): Markup {
  return (
    <tr>
      <td class="c-name mono">
        <a href={paymentPath(row)}>{shortHash(row.txHash ?? row.id)}</a>
      </td>
      <td class="c-status">
        {statePill(row)}
        {row.reason && <small>{row.reason}</small>}
      </td>
      <td class="right num" data-l="Amount">
        {formatMicros(row.amountMicros)}
      </td>
      <td class="right num c-made">{formatMicros(row.spentMicros)}</td>
      <td class="c-for" data-l="For">
        {row.endpoint ?? <span class="muted">nothing yet</span>}
      </td>
      <td class="c-made">{row.via}</td>
      <td class="mono" data-l="From" title={row.payer}>
        {shortHash(row.payer)}
      </td>
      <td class="right c-for" data-l="Time, UTC">
        {formatTime(row.createdAtMs)}
      </td>
    </tr>
  )
}
