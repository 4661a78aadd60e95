/** @jsxImportSource #jsx */
import type { Config } from '../../config.ts'
import { formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import { formatMicros } from '../../lib/money.ts'
import { insteadOfPaying } from '../../payments/open-payments.ts'
import type { RouteOperation } from '../openapi/operation.ts'
import { referenceTable } from '../parts/table.tsx'
import { operationTable } from './operation-table.tsx'

const paymentMethods = [
  [
    'Transfer',
    'X-Payment: 0x<hash>',
    'Send at least the amount of the asset to payTo, then repeat the request.',
  ],
  ['x402 version 1', 'X-PAYMENT', 'A signed authorization; the receipt is in X-PAYMENT-RESPONSE.'],
  [
    'x402 version 2',
    'PAYMENT-SIGNATURE',
    'The same against the PAYMENT-REQUIRED header; the receipt is in PAYMENT-RESPONSE.',
  ],
  [
    'MPP',
    'Authorization: Payment',
    'Against the WWW-Authenticate header; the receipt is in Payment-Receipt.',
  ],
  ['Credit', 'X-Payment-Proof', 'What a transfer holds beyond one call, drawn with its payer’s signature.'],
] as const

/** The ways to pay for single calls. */
export function paymentsSection(config: Config, operations: readonly RouteOperation[]): Markup {
  return (
    <section id="payments">
      <h2>Paying per call</h2>
      <p>
        A 402 tells in its body and headers what to pay, where and how; unmodified x402 and MPP clients pay
        automatically. This installation is paid on {config.X402_NETWORK}.
      </p>
      {referenceTable(
        'Ways to pay',
        ['Way', 'Header', 'How'],
        paymentMethods.map(([name, header, how]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>
              <code>{header}</code>
            </td>
            <td>{how}</td>
          </tr>
        )),
      )}
      <ul>
        <li>Parameters are checked first: nobody pays for a mistake.</li>
        <li>A call that fails on our side is not charged, and the payment can be used again.</li>
        <li>
          The same request with the same payment gets the same bytes for{' '}
          {formatSpan(config.X402_REPLAY_WINDOW_SECONDS * 1000)}, free.
        </li>
        <li>A hash buys one call. A transfer may be {formatSpan(config.X402_MAX_AGE_SECONDS * 1000)} old.</li>
        <li>
          If the outcome is unknown, the answer is 503, not 402: wait for <code>Retry-After</code>, then send
          the same again.
        </li>
        <li>
          {formatMicros(config.UPGRADE_PRICE)} lifts the quota of a key:{' '}
          <code>POST /api/upgrade?key=mk_…</code> with any of these.
        </li>
      </ul>
      {operationTable('payments', operations)}
    </section>
  )
}

/** The section where payments are off. */
export function withoutPaymentsSection(config: Config, operations: readonly RouteOperation[]): Markup {
  return (
    <section id="payments">
      <h2>Beyond the quota</h2>
      <p>{insteadOfPaying(config)}</p>
      {operationTable('payments', operations)}
    </section>
  )
}
