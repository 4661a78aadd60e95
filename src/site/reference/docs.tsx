/** @jsxImportSource #jsx */
import type { Asset } from '../../assets/kit/asset.ts'
import { type Config, settingsOf, takesPayments } from '../../config.ts'
import { formatCount, formatMicros, formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import { insteadOfPaying } from '../../payments/open-payments.ts'
import { headOf, layout, pageScript } from '../layout.tsx'
import { addressForm } from '../openapi/asset-paths.ts'
import type { RouteOperation } from '../openapi/operation.ts'
import { docsSearch } from '../parts/elements.tsx'
import { assetSection, type PictureSizes } from './asset-section.tsx'
import { signingVectors } from './signing-vectors.ts'
import { formatTable, headerList, operationTable, paymentTable, settingList } from './tables.tsx'
import { referenceText } from './text.ts'

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
  const text = referenceText({
    origin,
    demoCalls: formatCount(config.DEMO_DAILY_QUOTA),
    keyCalls: formatCount(config.KEY_DAILY_QUOTA),
    pairs: config.KEYS_PER_IP_PER_DAY,
    skew: formatSpan(config.SIGNATURE_SKEW_SECONDS * 1000),
    secret: signingVectors[0]?.secret ?? '',
    vectors: signingVectors.map(({ name, payload, sig }) => `# ${name}\n${payload}\n${sig}`).join('\n\n'),
    form: addressForm,
    cheapest: formatMicros(cheapestMicros(assets)),
    network: config.X402_NETWORK,
    replay: formatSpan(config.X402_REPLAY_WINDOW_SECONDS * 1000),
    age: formatSpan(config.X402_MAX_AGE_SECONDS * 1000),
    upgrade: formatMicros(config.UPGRADE_PRICE),
  })
  return layout(
    { ...head, description },
    <div class="docs">
      {contents(assets, isPaid)}
      <article>
        <h1>Reference</h1>
        <section id="quickstart">{[text('quickstart'), isPaid && text('payment')]}</section>
        {assets.map((asset) => assetSection(asset, { origin, isPaid, answer: answers[asset.id], sizes }))}
        <section id="keys">
          {text(config.PUBLIC_KEYS ? 'publickeys' : 'handedkeys')}
          {operationTable('keys', operations)}
        </section>
        <section id="signing">{text('signing')}</section>
        <section id="embedding">{[text('embedding'), formatTable(assets), text('olderform')]}</section>
        <section id="payments">
          {isPaid
            ? [text('payments'), paymentTable(), text('paymentrules')]
            : [<h2>Beyond the quota</h2>, <p>{insteadOfPaying(config)}</p>]}
          {operationTable('payments', operations)}
        </section>
        <section id="headers">{[text('headers'), headerList(isPaid)]}</section>
        <section id="machines">
          {text('machines')}
          {operationTable('machines', operations)}
          {operationTable('pages', operations)}
        </section>
        <section id="settings">{[text('settings'), settingList(settingsOf(assets), isPaid)]}</section>
        <section id="credits">{text('credits')}</section>
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
      {docsSearch()}
      {entries.map(([id, label]) => (
        <a href={`#${id}`}>{label}</a>
      ))}
      <a href="/docs/errors">Errors</a>
    </nav>
  )
}

export function cheapestMicros(assets: readonly Asset[]): number {
  return Math.min(...assets.flatMap(({ priceMicros }) => priceMicros ?? []))
}
