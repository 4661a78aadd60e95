import type { Asset } from '../assets/kit/asset.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import { inertSvg } from '../http/response-headers.ts'
import type { Body } from '../lib/body.ts'
import type { createBrandPictures } from './brand-pictures.ts'
import { choices } from './choice-pictures.ts'
import { sizeExamples } from './example-cards.ts'
import type { PreviewRenderer } from './preview-renderer.ts'
import { heroCard, type Picture, wallAvatars, wallBadges, wallCards } from './sample-pictures.ts'
import type { ShareCardDrawer } from './share-card-drawer.ts'

const pictures = new Map(
  [
    ...wallCards,
    ...wallBadges,
    ...wallAvatars,
    heroCard,
    ...sizeExamples.flatMap(({ cards }) => cards),
    ...choices.flatMap((choice) => choice.pictures),
  ].map((picture) => [picture.file, picture]),
)

export function picturePath({ file }: Pick<Picture, 'file'>): string {
  return `/pictures/${file}`
}

/** The picture of an asset's example; undefined for an asset that is no picture. */
export function examplePicture({ id, example, summary, mediaTypes }: Asset): Picture | undefined {
  if (!mediaTypes.includes('image/svg+xml')) return undefined
  return { file: `example-${id}.svg`, assetId: id, query: { ...example, format: 'svg' }, alt: summary }
}

interface PictureRenderers {
  readonly previewRenderer: PreviewRenderer
  readonly brandPicture: ReturnType<typeof createBrandPictures>
  readonly shareCard: ShareCardDrawer
}

/** `GET /pictures/<file>`. Throws `not_found` for a file that is not ours. */
export async function pictureResponse(
  assets: readonly Asset[],
  { previewRenderer, brandPicture, shareCard }: PictureRenderers,
  file: string,
  context: RequestContext,
): Promise<Response> {
  context.isUnmadeForHead = true
  const ofBrand = await brandPicture(file, context.clientAddress)
  if (ofBrand !== undefined)
    return inertPicture(context.method === 'HEAD' ? null : ofBrand.body, ofBrand.contentType, 86_400)
  const drawShareCard = shareCard(file, context.clientAddress)
  if (drawShareCard !== undefined)
    return inertPicture(context.method === 'HEAD' ? null : (await drawShareCard()).body, 'image/png', 86_400)
  const examples = assets.flatMap((asset) => examplePicture(asset) ?? [])
  const picture = pictures.get(file) ?? examples.find((example) => example.file === file)
  if (picture === undefined) throw new Problem('not_found', 'There is no such picture.')
  const rawQuery = String(new URLSearchParams(picture.query))
  const { contentType, cacheSeconds } = previewRenderer.describe(picture.assetId, rawQuery, context)
  const body =
    context.method === 'HEAD'
      ? null
      : (await previewRenderer.renderOwn(picture.assetId, rawQuery, context)).rendered.body
  return inertPicture(body, contentType, cacheSeconds)
}

function inertPicture(body: Body | null, contentType: string, cacheSeconds: number): Response {
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-security-policy': inertSvg,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': `public, max-age=${cacheSeconds}`,
    },
  })
}
