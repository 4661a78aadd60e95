import type { Problem } from '../../errors.ts'
import type { DrawingService, DrawnAsset } from '../../http/drawing-service.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText, textBody } from '../../lib/body.ts'
import { pictureSize } from '../pictures.ts'
import type { PictureSize } from '../sample-pictures.ts'
import type { PlaygroundState } from './form.ts'
import { type Sample, type SharedTexts, sampleFor } from './samples.tsx'
import type { SignedUrls } from './signed-urls.ts'
import type { VisitorDrawings } from './visitor-drawings.ts'

/** The contents of the result panel. */
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
