/** @jsxImportSource #jsx */
import type { Asset } from '../../assets/kit/asset.ts'
import { type Config, settingsOf, takesPayments } from '../../config.ts'
import { formatCount, formatMicros } from '../../lib/human-format.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { headOf, layout, pageScript } from '../layout.tsx'
import type { RouteOperation } from '../openapi/operation.ts'
import { codeBlock } from '../parts/elements.tsx'
import { assetSection, type PictureSizes } from './asset-section.tsx'
import { embeddingSection, keysSection, signingSection } from './keys-section.tsx'
import {
  creditsSection,
  headersSection,
  machinesSection,
  paymentsSection,
  settingsSection,
  withoutPaymentsSection,
} from './more-sections.tsx'

export interface DocsInput {
  readonly origin: string
  readonly config: Config
  readonly assets: readonly Asset[]
  readonly operations: readonly RouteOperation[]
  /** JSON responses of the examples that are no pictures, by asset id. */
  readonly answers: Readonly<Record<string, string>>
  readonly sizes: PictureSizes
}

export function docsPage({ origin, config, assets, operations, answers, sizes }: DocsInput): Markup {
  const isPaid = takesPayments(config)
  const head = headOf('docs', origin)
  const description = isPaid
    ? head.description.replace(' and signed URLs', ', signed URLs and paying')
    : head.description
  return layout(
    { ...head, description },
    <div class="docs">
      {contents(assets, isPaid)}
      <article>
        <h1>Reference</h1>
        {quickStart(config, assets, origin)}
        {assets.map((asset) => assetSection(asset, { origin, isPaid, answer: answers[asset.id], sizes }))}
        {keysSection(config, origin, operations)}
        {signingSection(config)}
        {embeddingSection(origin, assets)}
        {isPaid ? paymentsSection(config, operations) : withoutPaymentsSection(config, operations)}
        {headersSection(isPaid)}
        {machinesSection(operations)}
        {settingsSection(settingsOf(assets), isPaid)}
        {creditsSection()}
      </article>
    </div>,
  )
}

function contents(assets: readonly Asset[], isPaid: boolean): Markup {
  const entries = [
    ['quickstart', 'Quick start'],
    ...assets.map((asset) => [asset.id, asset.title]),
    ['keys', 'Keys'],
    ['signing', 'Signing'],
    ['embedding', 'Signed URLs'],
    ['payments', isPaid ? 'Payments' : 'Beyond the quota'],
    ['headers', 'Headers'],
    ['machines', 'For programs'],
    ['settings', 'Running your own'],
    ['credits', 'Credits'],
  ]
  return (
    <nav class="contents" aria-label="On this page">
      {pageScript('contents.js')}
      {entries.map(([id, label]) => (
        <a href={`#${id}`}>{label}</a>
      ))}
      <a href="/docs/errors">Errors</a>
    </nav>
  )
}

function quickStart(config: Config, assets: readonly Asset[], origin: string): Markup {
  return (
    <section id="quickstart">
      <h2>Quick start</h2>
      <p>Every asset is one GET request. Parameters and credentials go in the query string.</p>
      <h3>Demo: nothing to set up</h3>
      <p>
        Add <code>demo=1</code>: {formatCount(config.DEMO_DAILY_QUOTA)} calls a day (UTC), shared by everyone.
      </p>
      {codeBlock('Demo call', `curl -o card.svg '${origin}/api/og?title=Hello&demo=1'`)}
      <h3>A key: {formatCount(config.KEY_DAILY_QUOTA)} calls a day of your own</h3>
      <p>
        Ask for a pair once, keep the secret, sign each path. The answer of <code>/api/key</code> has lines
        that work as they stand.
      </p>
      {codeBlock('Signed call', signedCall(origin))}
      {takesPayments(config) && paidCall(assets, origin)}
    </section>
  )
}

function paidCall(assets: readonly Asset[], origin: string): Child {
  return [
    <h3>A payment: no account</h3>,
    <p>
      A call without credentials answers 402 and says what to send where. The cheapest costs{' '}
      {formatMicros(cheapestMicros(assets))} USDC. Send it, then repeat the request with the transaction’s
      hash, or let an x402 client do all of it.
    </p>,
    codeBlock(
      'Paid call',
      `curl -o card.svg -H 'X-Payment: 0x<transaction hash>' '${origin}/api/og?title=Hello'`,
    ),
  ]
}

function signedCall(origin: string): string {
  return [
    `key=mk_…`,
    `secret=…`,
    `t=$(date +%s)`,
    `sig=$(printf '%s.GET /api/og' "$t" | openssl dgst -sha256 -hmac "$secret" -r | cut -c1-64)`,
    `curl -o card.svg "${origin}/api/og?title=Hello&key=$key&t=$t&sig=$sig"`,
  ].join('\n')
}

export function cheapestMicros(assets: readonly Asset[]): number {
  return Math.min(...assets.flatMap(({ priceMicros }) => priceMicros ?? []))
}
