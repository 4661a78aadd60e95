import type { Problem } from '../../errors.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText } from '../../lib/body.ts'
import { type PictureSize, pictureSize } from '../picture-size.ts'
import type { PreviewRenderer, RenderedPreview } from '../preview-renderer.ts'
import type { PlaygroundState } from './form.ts'
import type { SignedUrls } from './signed-urls.ts'

/** The contents of the result panel. */
export type Result =
  /** A live asset that was not requested yet. */
  | { readonly type: 'waiting' }
  | { readonly type: 'problem'; readonly problem: Problem }
  /** `url` streams its progress; after that the page is loaded again. */
  | { readonly type: 'started'; readonly url: string }
  | {
      readonly type: 'picture'
      readonly preview: RenderedPreview
      readonly url: string
      readonly size: PictureSize
    }
  | { readonly type: 'data'; readonly preview: RenderedPreview; readonly text: string }

export interface ResultDeps {
  readonly previewRenderer: PreviewRenderer
  readonly signedUrls: SignedUrls
}

/** Renders the form's asset, or throws what is wrong with it. `isFollowed`: the browser wants to follow the progress of a live asset. */
export async function playgroundResult(
  { previewRenderer, signedUrls }: ResultDeps,
  { form, query, isExample }: PlaygroundState,
  context: RequestContext,
  isFollowed: boolean,
): Promise<Result> {
  if (form.isLive && (isExample || !isPageLoad(context))) return { type: 'waiting' }
  const { id } = form.asset
  const rawQuery = String(query)
  if (isFollowed && form.hasProgress) return { type: 'started', url: signedUrls.sign(id, rawQuery) }
  const preview = await (isExample ? previewRenderer.renderOwn : previewRenderer.renderForVisitor)(
    id,
    rawQuery,
    context,
  )
  const size = pictureSize(preview.rendered)
  return size === undefined
    ? { type: 'data', preview, text: bodyText(preview.rendered.body) }
    : { type: 'picture', preview, size, url: signedUrls.sign(id, rawQuery) }
}

/** Whether a person opened the page. A picture tag with its URL and a prefetch start no request to another site. */
export function isPageLoad({ request: { headers } }: RequestContext): boolean {
  const destination = headers.get('sec-fetch-dest') ?? 'document'
  return ['document', 'empty'].includes(destination) && !headers.has('sec-purpose')
}
