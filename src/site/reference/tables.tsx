/** @jsxImportSource #jsx */
import { type Asset, addressFormats } from '../../assets/kit/asset.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import type { Setting } from '../../lib/settings.ts'
import paymentMethods from '../data/payment-methods.json' with { type: 'json' }
import { headersOf } from '../openapi/components.ts'
import { operationsIn, type RouteOperation } from '../openapi/operation.ts'
import { filterField, referenceTable } from '../parts/elements.tsx'

/** The operations of one section of the reference. */
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

/** The formats of signed URLs. */
export function formatTable(assets: readonly Asset[]): Markup {
  const rows = assets.flatMap((asset) => {
    const extensions = addressFormats(asset).map(({ extension }) => extension)
    if (extensions.length === 0) return []
    return (
      <tr>
        <th scope="row">
          <code>GET /i/{asset.id}/…</code>
        </th>
        <td>{extensions.join(', ')}</td>
        <td data-label="Parameters">
          <a href={`#${asset.id}`}>{asset.path}</a>
        </td>
      </tr>
    )
  })
  return referenceTable('Signed URLs', ['URL', 'Extensions', 'Parameters'], rows)
}

export function paymentTable(): Markup {
  const rows = paymentMethods.map(([name, header, how]) => (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <code>{header}</code>
      </td>
      <td>{how}</td>
    </tr>
  ))
  return referenceTable('Ways to pay', ['Way', 'Header', 'How'], rows)
}

export function headerList(isPaid: boolean): Markup {
  return (
    <dl class="terms card">
      {Object.entries(headersOf(isPaid)).map(([name, { description }]) => (
        <div>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The settings with their defaults; those of payments only where there is a wallet. Values are not shown. */
export function settingList(settings: Readonly<Record<string, Setting<unknown>>>, isPaid: boolean): Markup {
  const rows = Object.entries(settings).filter(([name]) => isPaid || !/^(X402|PRICE|UPGRADE)_/.test(name))
  return (
    <details class="card fold">
      <summary>{rows.length} settings</summary>
      {filterField('Filter the settings')}
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
  )
}
