/** @jsxImportSource #jsx */
import { type Asset, sharedPath } from '../../assets/kit/asset.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { formatMicros } from '../../lib/money.ts'
import { codeBlock } from '../parts/code-block.tsx'
import { referenceTable } from '../parts/table.tsx'
import { examplePicture, picturePath } from '../pictures.ts'
import { tabAddress } from '../playground/form.ts'
import { choiceSections, type PictureSizes } from './choice-section.tsx'
import { type Parameter, parametersOf } from './parameters.ts'

interface SectionInput {
  readonly origin: string
  /** True if prices are shown. */
  readonly isPaid: boolean
  /** The JSON that the example answers with. */
  readonly answer: string | undefined
  readonly sizes: PictureSizes
}

/** One asset: what it is, what it costs, its example with the answer, every parameter. */
export function assetSection(asset: Asset, { origin, isPaid, answer, sizes }: SectionInput): Markup {
  const { id, title, path, kind, summary, variants = [], compatibilityUrl, mediaTypes, priceMicros } = asset
  return (
    <section id={id}>
      <h2>{title}</h2>
      <p>{summary}.</p>
      <p class="request row">
        <code>GET {path}</code>
        {priceMicros === undefined && <span class="pill ok">free</span>}
        {isPaid && priceMicros !== undefined && <span class="pill ok">{formatMicros(priceMicros)} USDC</span>}
        {kind && (
          <span class="muted small">
            <code>
              {sharedPath}?kind={kind}
            </code>{' '}
            is the same
          </span>
        )}
        {variants.map((variant) => (
          <span class="muted small">
            <code>{variant.path}</code> is the same with {String(new URLSearchParams(variant.defaults))}
          </span>
        ))}
      </p>
      {compatibilityUrl && (
        <p class="small muted">
          Moving from {compatibilityUrl.service}? Change the host name:{' '}
          <a href={compatibilityUrl.url}>{compatibilityUrl.url}</a> is a demo call.
        </p>
      )}
      {codeBlock(`${title} with curl`, `curl '${exampleUrl(asset, origin)}'`)}
      {result(asset, answer)}
      {referenceTable(
        `Parameters of ${title}`,
        ['Parameter', 'What it does', 'Allowed', 'Default'],
        parametersOf(asset.query).map(parameterRow),
      )}
      {choiceSections(id, sizes)}
      <p class="small muted">
        Answers {mediaTypes.join(', ')}. <a href={tabAddress(id)}>Try it in the playground</a>
      </p>
    </section>
  )
}

/** A URL that works when pasted. */
export function exampleUrl({ path, example, priceMicros }: Asset, origin: string): string {
  const query = new URLSearchParams({ ...example, ...(priceMicros !== undefined && { demo: '1' }) })
  return `${origin}${path}${query.size === 0 ? '' : `?${query}`}`
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

function parameterRow(parameter: Parameter): Markup {
  const { name, description, allowed, aliases } = parameter
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
        {defaultCell(parameter)}
      </td>
    </tr>
  )
}

function defaultCell({ required, fallback, whenMissing }: Parameter): Child {
  if (required) return <span class="pill warn">required</span>
  const text = fallback ?? whenMissing
  if (text === undefined) return <span class="muted">none</span>
  return text.includes(' ') ? text : <code>{text}</code>
}
