/** @jsxImportSource #jsx */
import type { Asset } from '../../assets/asset.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { formatMicros } from '../../lib/money.ts'
import { tableHead } from '../parts/table-head.tsx'
import { examplePicture, picturePath } from '../pictures.ts'
import { tabAddress } from '../playground/tab-address.ts'
import { codeBlock } from './code-block.tsx'
import { type Parameter, parametersOf } from './parameters.ts'
import { requestOf } from './request-of.tsx'

/** One asset: what it is, what it costs, its example with the answer, every parameter. */
export function assetSection(asset: Asset, origin: string, answer: string | undefined): Markup {
  const { id, title, summary, variants = [], compatibilityUrl, mediaTypes, priceMicros } = asset
  return (
    <section id={id}>
      <h2>{title}</h2>
      <p>{summary}.</p>
      <p class="request">
        <code>{requestOf(asset)}</code>
        <span class="pill ok">
          {priceMicros === undefined ? 'free' : `${formatMicros(priceMicros)} USDC`}
        </span>
        {variants.map(({ path, defaults }) => (
          <span class="muted small">
            <code>{path}</code> is the same with {String(new URLSearchParams(defaults))}
          </span>
        ))}
      </p>
      {compatibilityUrl && (
        <p class="small muted">
          Moving from {compatibilityUrl.service}? Change the host name:{' '}
          <a href={compatibilityUrl.url}>{compatibilityUrl.url}</a> is a demo call.
        </p>
      )}
      {codeBlock(`${title} with curl`, `curl '${exampleAddress(asset, origin)}'`)}
      {result(asset, answer)}
      {parameterTable(`Parameters of ${title}`, parametersOf(asset.query))}
      <p class="small muted">
        Answers {mediaTypes.join(', ')}. <a href={tabAddress(id)}>Try it in the playground</a>
      </p>
    </section>
  )
}

/** A URL that works as it stands. */
export function exampleAddress({ path, kind, example, priceMicros }: Asset, origin: string): string {
  const query = new URLSearchParams({
    ...(kind && { kind }),
    ...example,
    ...(priceMicros !== undefined && { demo: '1' }),
  })
  return `${origin}${path}?${query}`
}

function result(asset: Asset, answer: string | undefined): Child {
  const picture = examplePicture(asset)
  if (picture === undefined) return answer && codeBlock(`Answer of ${asset.id}`, answer)
  const isCard = asset.id === 'og'
  return (
    <p class="result">
      <img
        src={picturePath(picture)}
        width={isCard && 1200}
        height={isCard && 630}
        alt={`The answer: ${picture.alt}`}
        loading="lazy"
      />
    </p>
  )
}

function parameterTable(label: string, parameters: readonly Parameter[]): Markup {
  return (
    <div class="card scroll-x" tabindex="0" role="region" aria-label={label}>
      <table class="parameters">
        {tableHead(['Parameter', 'What it does', 'Allowed', 'Default'])}
        <tbody>{parameters.map(parameterRow)}</tbody>
      </table>
    </div>
  )
}

function parameterRow({ name, required, description, allowed, fallback, aliases }: Parameter): Markup {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        {description}
        {aliases.length > 0 && <span class="muted"> (also {aliases.join(', ')})</span>}
      </td>
      <td class="muted small" data-label="Allowed">
        {allowed}
      </td>
      <td class="small" data-label="Default">
        {required ? <span class="pill warn">required</span> : <code>{fallback ?? '–'}</code>}
      </td>
    </tr>
  )
}
