import type { RequestContext } from '../http/request-context.ts'
import { type OwnCard, ownCard, sampleCard } from './own-card.ts'
import { type PictureSize, pictureSize } from './picture-size.ts'
import type { ResultDeps } from './playground/result.ts'
import { type Picture, wallBadges } from './sample-pictures.ts'

/** The parts of the home page that are drawn before it is written. */
export interface HomeExtras {
  readonly own: OwnCard
  /** The badges of the gallery, whose width depends on their text. */
  readonly badges: readonly (Picture & { readonly size?: PictureSize | undefined })[]
}

/** The page without anything drawn. */
export const noExtras: HomeExtras = { own: sampleCard, badges: wallBadges }

/** Draws the visitor's card, and measures the badges. */
export async function homeExtras(
  deps: ResultDeps,
  sent: URLSearchParams,
  context: RequestContext,
): Promise<HomeExtras> {
  const badges = wallBadges.map(async (badge) => {
    const rawQuery = String(new URLSearchParams(badge.query))
    const { rendered } = await deps.previewRenderer.renderOwn(badge.assetId, rawQuery, context)
    return { ...badge, size: pictureSize(rendered) }
  })
  return { own: await ownCard(deps, sent, context), badges: await Promise.all(badges) }
}
