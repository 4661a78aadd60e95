/** @jsxImportSource #jsx */
import { liveNames, sourceParameters } from '../../assets/badge/live/source.ts'
import type { Problem } from '../../errors.ts'
import type { DrawingService, DrawnAsset } from '../../http/drawing-service.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText, textBody } from '../../lib/body.ts'
import { document } from '../../lib/jsx/markup.ts'
import { pictureSize } from '../pictures.ts'
import type { PictureSize } from '../sample-pictures.ts'
import type { PlaygroundState } from './form.ts'
import type { SignedUrls, VisitorDrawings } from './visitor-drawings.ts'

export type Result =
  /** A live asset whose page is not read for this request. */
  | { readonly type: 'waiting' }
  | { readonly type: 'problem'; readonly problem: Problem }
  /** `url` streams its progress; after that the page is loaded again. */
  | { readonly type: 'started'; readonly url: string }
  | (Rendered & {
      readonly type: 'picture'
      readonly url: string
      readonly size: PictureSize
      /** Texts that networks show beside the picture, where they are known. */
      readonly page?: SharedTexts | undefined
    })
  | (Rendered & { readonly type: 'data'; readonly text: string })

interface Rendered {
  readonly preview: DrawnAsset
  /** The site of a sample, which nothing was fetched for. */
  readonly sampleOf?: string | undefined
}

export interface ResultDeps {
  readonly drawings: DrawingService
  readonly visitors: VisitorDrawings
  readonly signedUrls: SignedUrls
}

/** Renders the form's asset, or throws what is wrong with it. `isFollowed`: the browser wants to follow the progress of a live asset. */
export async function playgroundResult(
  deps: ResultDeps,
  state: PlaygroundState,
  context: RequestContext,
  isFollowed: boolean,
): Promise<Result> {
  const { form, query } = state
  const { id } = form.asset
  if (isFollowed && form.hasProgress) return { type: 'started', url: deps.signedUrls.sign(id, String(query)) }
  const sample = sampleFor(state)
  if (sample !== undefined && 'text' in sample) return sampleText(sample.from, await sample.text())
  if (sample === undefined && form.waits !== undefined && (state.isExample || !isPageLoad(context)))
    return { type: 'waiting' }
  return rendered(deps, state, context, sample)
}

async function rendered(
  { drawings, visitors, signedUrls }: ResultDeps,
  { form, query, isExample }: PlaygroundState,
  context: RequestContext,
  sample: Exclude<Sample, { text: unknown }> | undefined,
): Promise<Result> {
  const id = sample?.assetId ?? form.asset.id
  const rawQuery = String(sample?.query ?? query)
  const preview = isExample
    ? await drawings.asset(id, rawQuery, context, { for: 'page', client: context.clientAddress })
    : await visitors.draw(id, rawQuery, context)
  const size = pictureSize(preview.rendered)
  const common = { preview, sampleOf: sample?.from }
  return size === undefined
    ? { ...common, type: 'data', text: bodyText(preview.rendered.body) }
    : { ...common, type: 'picture', size, url: signedUrls.sign(id, rawQuery), page: sample?.page }
}

function sampleText(sampleOf: string, text: string): Result {
  const rendered = { body: textBody(text), contentType: 'application/json', filename: 'answer' }
  return {
    type: 'data',
    preview: { rendered, durationMs: 0, isCached: true, cacheSeconds: 0 },
    text,
    sampleOf,
  }
}

/** True if a person opened the page. A picture tag with its URL and a prefetch start no request to another site. */
export function isPageLoad({ request: { headers } }: RequestContext): boolean {
  const destination = headers.get('sec-fetch-dest') ?? 'document'
  return ['document', 'empty'].includes(destination) && !headers.has('sec-purpose')
}

/** Recorded from a page and a document of other sites, so that a form shows a result before anything is fetched. */
const page = {
  url: 'https://ogp.me/',
  host: 'ogp.me',
  title: 'Open Graph protocol',
  description: 'The Open Graph protocol enables any web page to become a rich object in a social graph.',
  image: 'https://ogp.me/logo.png',
}
const packageVersion = '5.9.3'

/** A result that is made without a request to another site. */
type Sample = { readonly from: string } & (
  | {
      /** The asset and its query that draw what the page or document said. */
      readonly assetId: string
      readonly query: URLSearchParams
      readonly page?: SharedTexts
    }
  | { readonly text: () => Promise<string> }
)

export interface SharedTexts {
  readonly title: string
  readonly description: string
  readonly host: string
}

/** The sample for the form's state; undefined where the visitor asks for another page or document. */
function sampleFor({ form, values, query, isExample }: PlaygroundState): Sample | undefined {
  const names = [...query.keys()]
  switch (form.id) {
    case 'card':
      return values['page'] === page.url ? cardSample(query) : undefined
    case 'live-badge': {
      const isSample = ['json', 'query'].every((name) => values[name] === form.example[name])
      const sources = sourceParameters.filter((name) => query.has(name))
      return isSample && sources.length === 1 ? badgeSample(query) : undefined
    }
    case 'preview':
      return values['url'] === page.url && names.length === 1
        ? { from: page.host, text: samplePreview }
        : undefined
    case 'sitemap':
      return isExample
        ? {
            from: values['domain'] ?? '',
            assetId: 'sitemap',
            query: new URLSearchParams([...query, ['crawl', 'false']]),
          }
        : undefined
    default:
      return undefined
  }
}

function cardSample(asked: URLSearchParams): Sample {
  const { title, description, host } = page
  const own = new Set(['page', 'picture', 'fallback', 'site'])
  const texts = { title, subtitle: description, url: host, overflow: 'ellipsis' }
  const given = [...asked].filter(([name]) => !own.has(name))
  const query = new URLSearchParams({ ...texts, ...Object.fromEntries(given) })
  return { from: host, assetId: 'og', query, page }
}

function badgeSample(asked: URLSearchParams): Sample {
  const value = `${asked.get('prefix') ?? ''}${packageVersion}${asked.get('suffix') ?? ''}`
  const given = [...asked].filter(([name]) => !liveNames.includes(name))
  const query = new URLSearchParams([...given, ['value', value]])
  return { from: new URL(asked.get('json') ?? page.url).host, assetId: 'badge', query }
}

async function samplePreview(): Promise<string> {
  const { url, title, description, image, host } = page
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta property="og:type" content="website" />
        <meta property="og:url" content={url} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:site_name" content={host} />
        <meta property="og:image" content={image} />
      </head>
    </html>
  )
  const { parsePreview } = await import('../../assets/preview/page-parser.ts')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const fields = await parsePreview(new TextEncoder().encode(document(html)), { url, headers })
  return JSON.stringify({ kind: 'preview', version: 1, url, final_url: url, http_status: 200, ...fields })
}
