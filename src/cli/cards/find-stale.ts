import { statSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '../../lib/human-format.ts'
import { percentDecode } from '../../lib/query-pairs.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { networkBytesMax } from '../../raster/encode-within.ts'
import type { CardSource } from './card-source.ts'
import type { PagePlan, SitePlan } from './plan-pages.ts'
import { type PageFailure, tagsHash } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
import { tagsOf } from './write-page.ts'

/**
 * Finds the pages that a run would write, or whose pictures it would make, each with the reason. Nothing is written.
 * @param isStrict whether cards are laid out, for what their layouts warn of
 */
export async function findStale({ folder, pages, planOf, site, source }: SitePlan, isStrict: boolean) {
  const stale: PageFailure[] = []
  const warnings: PageFailure[] = []
  const unshown: PageFailure[] = []
  const failures: PageFailure[] = []
  for (const page of pages) {
    const { file } = page
    try {
      const plan = await planOf(page)
      const reason = await staleness(plan, source)
      const fault = unshownPicture(plan, folder, site)
      if (fault !== undefined) unshown.push({ file, reason: fault })
      if (reason !== undefined) stale.push({ file, reason })
      const warned = isStrict && 'card' in plan ? await source.layoutWarnings?.(plan.card) : undefined
      for (const warning of warned ?? []) warnings.push({ file, reason: `on its card, ${warning}` })
    } catch (error) {
      failures.push({ file, reason: reasonOf(error) })
    }
  }
  return { stale, unshown, warnings, failures }
}

async function staleness(plan: PagePlan, source: CardSource): Promise<string | undefined> {
  const { tags } = plan.page.known
  if ('leftAlone' in plan)
    return tags === '' ? undefined : `has tags of a card, but is left alone: ${plan.leftAlone}`
  if (plan.isReplaced) return 'has a picture that its card replaces'
  if (tags === '') return 'has no tags of a card'
  const url = await source.find(plan.card)
  if (url === undefined) return 'its card has changed, or its picture is missing'
  return tagsHash(tagsOf(plan, url)) === tags ? undefined : 'its tags have changed'
}

/** Says why networks do not show the picture that a page has of its own; undefined where they do. */
export function unshownPicture(plan: PagePlan, folder: string, { base }: SiteFacts): string | undefined {
  const { picture, isPictureRelative } = plan.page.known.facts
  if (!('leftAlone' in plan) || plan.leftAlone !== 'own picture' || picture === undefined) return undefined
  const path = picture.split(/[?#]/)[0] ?? ''
  const file = path.startsWith(base) ? join(folder, percentDecode(path.slice(base.length)) ?? '') : undefined
  const bytes = (file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size) ?? 0
  const faults = [
    /\.svgz?$/i.test(path) && 'is an SVG, which no network shows',
    isPictureRelative && 'is relative, and networks want the whole URL',
    bytes > networkBytesMax &&
      `has ${formatBytes(bytes)}, and WhatsApp shows at most ${formatBytes(networkBytesMax)}`,
    /\.webp$/i.test(path) && 'is a WebP, which LinkedIn does not show',
  ].filter((fault) => typeof fault === 'string')
  return faults.length === 0 ? undefined : `its og:image ${faults.join(', and ')}; --replace gives it a card`
}
