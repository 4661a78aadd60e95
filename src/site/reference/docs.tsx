/** @jsxImportSource #jsx */
import { type Asset, addressFormats } from '../../assets/kit/asset.ts'
import { type Config, settingsOf, takesPayments } from '../../config.ts'
import { formatCount, formatMicros, formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import type { Setting } from '../../lib/settings.ts'
import { insteadOfPaying } from '../../payments/open-payments.ts'
import links from '../data/links.json' with { type: 'json' }
import paymentMethods from '../data/payment-methods.json' with { type: 'json' }
import { referenceText } from '../guides/markdown.tsx'
import { headOf, layout } from '../layout.tsx'
import { headersOf } from '../openapi/components.ts'
import { addressForm } from '../openapi/openapi.ts'
import { operationsIn, type RouteOperation } from '../openapi/operation.ts'
import {
  contentsNav,
  type DescriptionRow,
  descriptionList,
  docsSearch,
  filterField,
  headedRow,
  linkList,
  referenceTable,
} from '../parts/elements.tsx'
import { assetSection, type PictureSizes } from './asset-section.tsx'
import { signingVectors } from './signing-vectors.ts'

export interface DocsInput {
  readonly origin: string
  readonly config: Config
  readonly assets: readonly Asset[]
  readonly operations: readonly RouteOperation[]
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
  const headers = Object.entries(headersOf(isPaid)).map(([name, header]) => {
    return [<code>{name}</code>, header.description] as const
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
        <section id="headers">{[text('headers'), descriptionList(headers)]}</section>
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
  const sections = [...assets.map(({ id, title }) => [id, title]), ...links.contents]
  const entries = sections.map(([id, label = '']) => [
    `#${id}`,
    isPaid || id !== 'payments' ? label : 'Beyond the quota',
  ])
  return contentsNav([
    docsSearch(),
    linkList([['#quickstart', 'Quick start'], ...entries, ['/docs/errors', 'Errors']]),
  ])
}

export function cheapestMicros(assets: readonly Asset[]): number {
  return Math.min(...assets.flatMap(({ priceMicros }) => priceMicros ?? []))
}

function operationTable(section: RouteOperation['tags'][0], operations: readonly RouteOperation[]): Markup {
  const rows = operationsIn(section, operations).map(({ method, path, summary, query }) =>
    headedRow(<code>{`${method} ${path}`}</code>, [
      <td>{summary}</td>,
      <td class="muted small" data-label="Parameters">
        {Object.keys(query?.properties ?? {}).join(', ') || '–'}
      </td>,
    ]),
  )
  return referenceTable(`Paths: ${section}`, ['Request', 'What it answers', 'Parameters'], rows)
}

function formatTable(assets: readonly Asset[]): Markup {
  const rows = assets.flatMap((asset) => {
    const extensions = addressFormats(asset).map(({ extension }) => extension)
    if (extensions.length === 0) return []
    return headedRow(<code>GET /i/{asset.id}/…</code>, [
      <td>{extensions.join(', ')}</td>,
      <td data-label="Parameters">{linkList([[`#${asset.id}`, asset.path]])}</td>,
    ])
  })
  return referenceTable('Signed URLs', ['URL', 'Extensions', 'Parameters'], rows)
}

function paymentTable(): Markup {
  const rows = paymentMethods.map(([name, header, how]) => {
    const headerName = <code>{header}</code>
    return headedRow(name, [<td>{headerName}</td>, <td>{how}</td>])
  })
  return referenceTable('Ways to pay', ['Way', 'Header', 'How'], rows)
}

function settingList(settings: Readonly<Record<string, Setting<unknown>>>, isPaid: boolean): Markup {
  const rows = Object.entries(settings)
    .filter(([name]) => isPaid || !/^(X402|PRICE|UPGRADE)_/.test(name))
    .map(([name, { default: fallback, doc }]): DescriptionRow => {
      return [[<code>{name}</code>, fallback && <span class="muted small"> {fallback}</span>], doc]
    })
  return (
    <details class="card fold">
      <summary>{rows.length} settings</summary>
      {filterField('Filter the settings')}
      {descriptionList(rows, 'terms')}
    </details>
  )
}
