/** @jsxImportSource #jsx */
import { type ErrorCode, errorCodes } from '../../errors.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { fill } from '../../lib/texts.ts'
import { paymentReasons } from '../../payments/payment-reasons.ts'
import { reasonsOf } from '../../web/fetch-failure.ts'
import links from '../data/links.json' with { type: 'json' }
import problem from '../data/problem.json' with { type: 'json' }
import refusals from '../data/refusals.json' with { type: 'json' }
import { referenceText } from '../guides/markdown.tsx'
import { headOf, layout } from '../layout.tsx'
import {
  anchorTerm,
  contentsNav,
  type DescriptionRow,
  descriptionList,
  docsSearch,
  filterField,
  linkList,
} from '../parts/elements.tsx'

/** `/docs/errors`: every code with its cause and remedy; `type` of a problem links here. */
export function errorsPage(origin: string, isPaid: boolean): Markup {
  const { title } = errorCodes.invalid_query
  const text = referenceText({ sample: fill(JSON.stringify(problem, null, 2), { origin, title }) })
  return layout(
    headOf('errors', origin),
    <div class="docs">
      {contentsNav([docsSearch(), linkList(links.errors)])}
      <article>
        <h1>Errors</h1>
        <section id="problems">
          {text('problems')}
          {filterField('Filter the problems')}
          {descriptionList(
            possibleErrors(isPaid).map(([code, { status, title, remedy }]) =>
              entry(code, status, [<b>{title}.</b>, ' ', inline(remedy), causes(code)]),
            ),
          )}
        </section>
        <section id="refusals">
          {text('refusals')}
          {descriptionList(
            Object.entries(refusalsOf(isPaid)).map(([code, words]) => entry(code, 402, words)),
          )}
        </section>
      </article>
    </div>,
  )
}

export function possibleErrors(isPaid: boolean): readonly (readonly [string, ErrorCode])[] {
  return Object.entries(errorCodes).filter(([code]) => isPaid || !ofPayments.has(code))
}

function entry(code: string, status: number, words: Child): DescriptionRow {
  return [[anchorTerm(code, code), ' ', <span class="pill">{status}</span>], words, code]
}

function causes(code: string): Child {
  if (code !== 'upstream_failed' && code !== 'upstream_timeout') return ''
  return (
    <ul>
      {reasonsOf(code).map(({ reason, message }) => (
        <li>
          <code>{reason}</code>: {message}
        </li>
      ))}
    </ul>
  )
}

function inline(text: string): Child {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))
}

/** Problems that only a payment can meet. */
const ofPayments: ReadonlySet<string> = new Set([
  'payments_unavailable',
  'settlement_pending',
  'payment_identifier_used',
])

/** Cause and remedy of every `error` in a 402: those of keys and the demo, then those of payments. */
function refusalsOf(isPaid: boolean): Readonly<Record<string, string>> {
  const payments = {
    orLift: isPaid ? '; a payment lifts it, or buys this one call' : '',
    orPay: isPaid ? ', or pay for this call' : '',
  }
  const own = Object.entries(refusals).map(([code, text]) => [code, fill(text, payments)])
  return { ...Object.fromEntries(own), ...(isPaid ? paymentReasons : withoutWallet) }
}

/** Without a wallet, a call without credentials has the code that it has elsewhere. */
const withoutWallet = {
  payment_required: 'The call has no credentials. Use a signed key or demo=1.',
  payments_off: paymentReasons.payments_off,
}
