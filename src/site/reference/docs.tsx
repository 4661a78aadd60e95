/** @jsxImportSource #jsx */
import type { Asset } from '../../assets/kit/asset.ts'
import { type Config, settingsOf, takesPayments } from '../../config.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import { layout } from '../layout.tsx'
import type { RouteOperation } from '../openapi/operation.ts'
import { pageScript } from '../parts/page-script.tsx'
import { assetSection } from './asset-section.tsx'
import type { PictureSizes } from './choice-section.tsx'
import { embeddingSection, keysSection, signingSection } from './keys-section.tsx'
import { creditsSection, headersSection, machinesSection, settingsSection } from './more-sections.tsx'
import { paymentsSection, withoutPaymentsSection } from './payments-section.tsx'
import { quickStart } from './quick-start.tsx'

export interface DocsInput {
  readonly origin: string
  readonly config: Config
  readonly assets: readonly Asset[]
  /** Every public operation that is no asset. */
  readonly operations: readonly RouteOperation[]
  /** JSON responses of the examples that are no pictures, by asset id. */
  readonly answers: Readonly<Record<string, string>>
  readonly sizes: PictureSizes
}

/** `/docs`: the reference, generated from the catalog, the settings and the list of operations. */
export function docsPage({ origin, config, assets, operations, answers, sizes }: DocsInput): Markup {
  const isPaid = takesPayments(config)
  const head = {
    title: 'Reference · Mintmark',
    description: `Every endpoint with its parameters and limits; signing${isPaid ? ', signed URLs and paying' : ' and signed URLs'}.`,
    origin,
    path: '/docs',
    shareName: 'docs',
  }
  return layout(
    head,
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
