import { Problem } from '../../errors.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText } from '../../lib/body.ts'
import { type PictureSize, pictureSize } from '../picture-size.ts'
import type { PreviewRenderer, RenderedPreview } from '../preview-renderer.ts'
import type { SignedUrls } from './signed-urls.ts'
import type { PlaygroundState } from './state.ts'

/** What the stage shows. */
export type Result =
  /** A live asset before anybody asked. */
  | { readonly type: 'waiting' }
  | { readonly type: 'problem'; readonly problem: Problem }
  /** Its progress can be followed at `address`; then the page is to be asked for again. */
  | { readonly type: 'started'; readonly address: string }
  | {
      readonly type: 'picture'
      readonly made: RenderedPreview
      readonly address: string
      readonly size: PictureSize
    }
  | { readonly type: 'data'; readonly made: RenderedPreview; readonly text: string }

export interface ResultDeps {
  readonly previewRenderer: PreviewRenderer
  readonly signedUrls: SignedUrls
}

/** Makes what the form asks for. `isFollowed` is true for a browser that wants to hear of progress. */
export async function playgroundResult(
  { previewRenderer: studio, signedUrls: tickets }: ResultDeps,
  { form, query, isExample }: PlaygroundState,
  context: RequestContext,
  isFollowed: boolean,
): Promise<Result> {
  if (form.isLive && (isExample || !isPageLoad(context))) return { type: 'waiting' }
  const { id } = form.asset
  const rawQuery = String(query)
  if (isFollowed && form.hasProgress) return { type: 'started', address: tickets.sign(id, rawQuery) }
  try {
    const made = await (isExample ? studio.renderOwn : studio.renderForVisitor)(id, rawQuery, context)
    const size = pictureSize(made.product)
    return size === undefined
      ? { type: 'data', made, text: bodyText(made.product.body) }
      : { type: 'picture', made, size, address: tickets.sign(id, rawQuery) }
  } catch (problem) {
    if (problem instanceof Problem) return { type: 'problem', problem }
    throw problem
  }
}

/** A person opened the page: not a picture on somebody's page that has its address, and not a guess of the browser. */
function isPageLoad({ request: { headers } }: RequestContext): boolean {
  const destination = headers.get('sec-fetch-dest') ?? 'document'
  return ['document', 'empty'].includes(destination) && !headers.has('sec-purpose')
}
