/** @jsxImportSource #jsx */
import type { Config } from '../../config.ts'
import { formatMicros, formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import type { Setting } from '../../lib/settings.ts'
import { insteadOfPaying } from '../../payments/open-payments.ts'
import { headersOf } from '../openapi/components.ts'
import { operationsIn, type RouteOperation } from '../openapi/operation.ts'
import { codeBlock, referenceTable } from '../parts/elements.tsx'

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

export function withoutPaymentsSection(config: Config, operations: readonly RouteOperation[]): Markup {
  return (
    <section id="payments">
      <h2>Beyond the quota</h2>
      <p>{insteadOfPaying(config)}</p>
      {operationTable('payments', operations)}
    </section>
  )
}

export function headersSection(isPaid: boolean): Markup {
  return (
    <section id="headers">
      <h2>Headers</h2>
      <p>
        Pictures carry a strong ETag: equal parameters, equal bytes. A matching <code>If-None-Match</code>{' '}
        gets 304 and is not counted, as long as the signature and its key are valid. A URL with{' '}
        <code>exp</code> is never fresh beyond it, and one with <code>t</code> is cached by its caller alone,
        for five minutes. Bodies come as zstd, br or gzip.
      </p>
      <dl class="terms card">
        {Object.entries(headersOf(isPaid)).map(([name, { description }]) => (
          <div>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{String(description)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function machinesSection(operations: readonly RouteOperation[]): Markup {
  return (
    <section id="machines">
      <h2>For programs</h2>
      <p>
        The same reference as <a href="/openapi.json">OpenAPI 3.1</a>, as <a href="/llms.txt">llms.txt</a>,
        with the guides in <a href="/llms-full.txt">one text</a>, and paths for monitors. Each guide is also
        Markdown: add <code>.md</code> to its path.
      </p>
      <p>
        Pages for people have the tag <code>pages</code>, so that clients generated from OpenAPI can leave
        them out.
      </p>
      {codeBlock('A client without pages', clientWithoutPages)}
      {operationTable('machines', operations)}
      {operationTable('pages', operations)}
    </section>
  )
}

const clientWithoutPages = `// @hey-api/openapi-ts: openapi-ts.config.ts
parser: { filters: { tags: { exclude: ['pages'] } } }

// orval: orval.config.ts
input: { target: './openapi.json', filters: { mode: 'exclude', tags: ['pages'] } }`

/** The settings with their defaults; those of payments only where there is a wallet. Values are not shown. */
export function settingsSection(
  settings: Readonly<Record<string, Setting<unknown>>>,
  isPaid: boolean,
): Markup {
  const rows = Object.entries(settings).filter(([name]) => isPaid || !/^(X402|PRICE|UPGRADE)_/.test(name))
  return (
    <section id="settings">
      <h2>Running your own</h2>
      <p>
        Environment variables; each also as <code>&lt;NAME&gt;_FILE</code>, the path of a file that holds the
        value. The server does not start with a mistake, and lists all of them.
      </p>
      <details class="card fold">
        <summary>{rows.length} settings</summary>
        <dl class="terms">
          {rows.map(([name, { default: fallback, doc }]) => (
            <div>
              <dt>
                <code>{name}</code>
                {fallback && <span class="muted small"> {fallback}</span>}
              </dt>
              <dd>{doc}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

export function creditsSection(): Markup {
  return (
    <section id="credits">
      <h2>Credits</h2>
      <ul>
        <li>
          Fonts, all under the SIL Open Font License 1.1: Inter by Rasmus Andersson, Noto by Google,
          Newsreader by Production Type, Source Serif by Adobe, JetBrains Mono by JetBrains. Badges are
          measured for DejaVu Sans, and rare letters drawn with DejaVu, which is under the Bitstream Vera
          licence.
        </li>
        <li>
          Emoji: <a href="https://github.com/jdecked/twemoji">Twemoji</a>, copyright Twitter, Inc. and other
          contributors, under <a href="https://creativecommons.org/licenses/by/4.0/">CC-BY 4.0</a>. They are
          redrawn as parts of a card, otherwise unchanged.
        </li>
        <li>
          Icons of badges: <a href="https://simpleicons.org">Simple Icons</a>, under CC0 1.0. The marks remain
          those of their owners; that one can be drawn says nothing of an endorsement. Ask the owner before
          you use one for more than naming them.
        </li>
      </ul>
    </section>
  )
}

export function operationTable(
  section: RouteOperation['tags'][0],
  operations: readonly RouteOperation[],
): Markup {
  const rows = operationsIn(section, operations).map(({ method, path, summary, query }) => (
    <tr>
      <th scope="row">
        <code>
          {method} {path}
        </code>
      </th>
      <td>{summary}</td>
      <td class="muted small" data-label="Parameters">
        {Object.keys(query?.properties ?? {}).join(', ') || '–'}
      </td>
    </tr>
  ))
  return referenceTable(`Paths: ${section}`, ['Request', 'What it answers', 'Parameters'], rows)
}
