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

interface HomeExtrasDeps extends ResultDeps {
  /** Kept by file. A badge is measured once, so that a page that many ask for draws none again. */
  readonly badgeSizes: Map<string, PictureSize | undefined>
}

/** Draws the visitor's card, and measures the badges. */
export async function homeExtras(
  deps: HomeExtrasDeps,
  sent: URLSearchParams,
  context: RequestContext,
): Promise<HomeExtras> {
  const badges = wallBadges.map(async (badge) => {
    if (!deps.badgeSizes.has(badge.file)) {
      const rawQuery = String(new URLSearchParams(badge.query))
      const { rendered } = await deps.previewRenderer.renderOwn(badge.assetId, rawQuery, context)
      deps.badgeSizes.set(badge.file, pictureSize(rendered))
    }
    return { ...badge, size: deps.badgeSizes.get(badge.file) }
  })
  return { own: await ownCard(deps, sent, context), badges: await Promise.all(badges) }
}
