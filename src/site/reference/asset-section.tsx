/** @jsxImportSource #jsx */
import { type Asset, sharedPath } from '../../assets/kit/asset.ts'
import { cardSizes } from '../../assets/og/theme.ts'
import { basePathOf, htmlBelow } from '../../http/base-path.ts'
import type { DrawingService } from '../../http/drawing-service.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText } from '../../lib/body.ts'
import { formatMicros } from '../../lib/human-format.ts'
import { type Child, document, type Markup } from '../../lib/jsx/markup.ts'
import { layout } from '../layout.tsx'
import {
  anchorTerm,
  copiedCode,
  type DescriptionRow,
  descriptionList,
  filterField,
  image,
} from '../parts/elements.tsx'
import { drawnForPage, examplePicture, type OwnPictures } from '../pictures.ts'
import { tabAddress } from '../playground/form.ts'
import { previewOf } from '../playground/result.tsx'
import { type Choice, type ChoicePicture, choices, type PictureSize } from '../sample-pictures.ts'
import { type Parameter, parametersOf } from './parameters.ts'

interface SectionInput {
  readonly origin: string
  readonly isPaid: boolean
  readonly answer: string | undefined
  readonly sizes: PictureSizes
}

const unfilteredMax = 8

export function assetSection(asset: Asset, { origin, isPaid, answer, sizes }: SectionInput): Markup {
  const { id, title, path, kind, summary, variants = [], compatibilityUrl, mediaTypes, priceMicros } = asset
  const parameters = parametersOf(asset.query)
  return (
    <section id={id} class="asset">
      <h2>{title}</h2>
      <p>{summary}.</p>
      <p class="request row">
        <code>GET {path}</code>
        {priceMicros === undefined && <span class="pill ok">free</span>}
        {isPaid && priceMicros !== undefined && <span class="pill ok">{formatMicros(priceMicros)} USDC</span>}
        {kind && sameAs(`${sharedPath}?kind=${kind}`, '')}
        {variants.map(({ path: at, defaults }) => sameAs(at, ` with ${new URLSearchParams(defaults)}`))}
      </p>
      {compatibilityUrl && (
        <p class="small muted">
          Moving from {compatibilityUrl.service}? Change the host name:{' '}
          <a href={compatibilityUrl.url}>{compatibilityUrl.url}</a> is a demo call.
        </p>
      )}
      <div class="beside grid">
        {copiedCode(`${title} with curl`, `curl '${exampleUrl(asset, origin)}'`)}
        {result(asset, answer)}
        <p class="small muted">
          Answers {mediaTypes.join(', ')}. <a href={tabAddress(id)}>Try it in the playground</a>
        </p>
      </div>
      <div class="grid">
        {parameters.length > unfilteredMax && filterField(`Filter the parameters of ${title}`)}
        {descriptionList(parameters.map((parameter) => term(id, parameter)))}
      </div>
      {choices.filter(({ assetIds }) => assetIds[0] === id).map((choice) => section(choice, sizes))}
    </section>
  )
}

function sameAs(path: string, condition: string): Markup {
  return (
    <span class="muted small">
      <code>{path}</code> is the same{condition}
    </span>
  )
}

export function exampleUrl({ path, example, priceMicros }: Asset, origin: string): string {
  const query = new URLSearchParams({ ...example, ...(priceMicros !== undefined && { demo: '1' }) })
  return `${origin}${path}${query.size === 0 ? '' : `?${query}`}`
}

function result(asset: Asset, answer: string | undefined): Child {
  const picture = examplePicture(asset)
  if (picture === undefined) return answer && copiedCode(`Answer of ${asset.id}`, answer)
  const size = asset.id === 'og' ? cardSizes.og : undefined
  return <p class="result">{image({ file: picture.file, alt: `The answer: ${picture.alt}`, size })}</p>
}

export function parameterId(assetId: string, name: string): string {
  return `${assetId}-${name}`
}

function term(assetId: string, parameter: Parameter): DescriptionRow {
  const { name, description, allowed, aliases, required, fallback, whenMissing } = parameter
  const id = parameterId(assetId, name)
  const byDefault = fallback === undefined ? whenMissing : <code>{fallback}</code>
  const parts = allowed.split(/(\d{4}-\d\d-\d\d)/)
  const bounds = parts.map((part, index) => (index % 2 === 1 ? <time>{part}</time> : part))
  const marks = [
    required && <span class="pill warn">required</span>,
    aliases.length > 0 && <span class="muted small">also {aliases.join(', ')}</span>,
  ]
  const details = ['Allowed: ', bounds, byDefault && !required && ['. Default: ', byDefault]]
  return [[anchorTerm(id, name), ' ', marks], [description, <div class="muted small">{details}</div>], id]
}

export type PictureSizes = ReadonlyMap<string, PictureSize>

function section({ assetIds, parameter, heading, pictures }: Choice, sizes: PictureSizes): Markup {
  const shown = pictures.filter(({ scheme }) => scheme !== 'own')
  return (
    <div class={`looks of-${assetIds[0]} is-${parameter}`}>
      <h3>{heading}</h3>
      <div>
        {shown.map((picture) => (
          <figure>
            {image({ ...picture, size: picture.size ?? sizes.get(picture.file) })}
            <figcaption>{caption(parameter, picture)}</figcaption>
          </figure>
        ))}
      </div>
    </div>
  )
}

function caption(parameter: string, { value, scheme, size }: ChoicePicture): Child {
  return [
    <code>
      {parameter}={value}
    </code>,
    scheme && [' ', <code>scheme={scheme}</code>],
    parameter === 'size' && size && [' ', <span>{`${size.widthPx} × ${size.heightPx}`}</span>],
  ]
}

export async function measurePictures(pictures: OwnPictures, context: RequestContext): Promise<PictureSizes> {
  const unknown = choices.flatMap((choice) => choice.pictures.filter(({ size }) => size === undefined))
  const measured = await Promise.all(
    unknown.map(async (picture) => [picture.file, await pictures.sizeOf(picture, context)] as const),
  )
  return new Map(measured.flatMap(([file, size]) => (size === undefined ? [] : [[file, size]])))
}

/** JSON responses of the examples that are no pictures. They are rendered without a request to another site. */
export async function exampleAnswers(drawings: DrawingService, context: RequestContext, origin: string) {
  const query = 'domain=example.com&crawl=0'
  const { rendered } = await drawings.asset('sitemap', query, context, drawnForPage(context))
  const url = `${origin}/docs`
  const head = { title: 'Reference · Mintmark', description: 'Every endpoint.', origin, path: '/docs' }
  const html = htmlBelow(basePathOf(origin), document(layout(head, 'The page itself')))
  const preview = { kind: 'preview', version: 1, url, ...(await previewOf(html, url)) }
  const sitemap: unknown = JSON.parse(bodyText(rendered.body))
  return { sitemap: JSON.stringify(sitemap, null, 2), preview: JSON.stringify(preview, null, 2) }
}
