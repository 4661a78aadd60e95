/** @jsxImportSource #jsx */

import { formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import type { ListedPayment } from '../../src/store/payment-list.ts'
import type { PaymentRow } from '../../src/store/payments.ts'
import { shortHash } from './format.ts'
import { pill, type Tone } from './stat-row.tsx'

const tones: Readonly<Record<PaymentRow['state'], Tone>> = {
  settled: 'ok',
  submitted: 'warn',
  reserved: 'warn',
  failed: 'bad',
  reorged: 'bad',
  released: 'plain',
}

/** What each state means, in the words of the list's filter. */
export const stateLabels: Readonly<Record<PaymentRow['state'], string>> = {
  settled: 'Settled',
  submitted: 'Pending',
  reserved: 'Promised',
  failed: 'Failed',
  released: 'Released',
  reorged: 'Undone by the chain',
}

export function statePill({ state }: Pick<PaymentRow, 'state'>): Markup {
  return pill(stateLabels[state], tones[state])
}

/** Where the page of a payment is: by its transaction when there is one. */
export function paymentPath({ txHash, id }: Pick<PaymentRow, 'txHash' | 'id'>): string {
  return `/admin/payments/${txHash ?? id}`
}

export function paymentTable(rows: readonly ListedPayment[]): Markup {
  return (
    <div class="scroll" tabindex="0" role="region" aria-label="Payments, wide table">
      <table class="log keys">
        <thead>
          <tr>
            <th scope="col">Payment</th>
            <th scope="col">State</th>
            <th scope="col" class="right">
              Amount
            </th>
            <th scope="col" class="right">
              Spent
            </th>
            <th scope="col">For</th>
            <th scope="col">Way</th>
            <th scope="col">From</th>
            <th scope="col" class="right">
              Time, UTC
            </th>
          </tr>
        </thead>
        <tbody>{rows.map(paymentRow)}</tbody>
      </table>
    </div>
  )
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
