import { reasonOf } from '../../lib/system-reason.ts'
import type { CardSource } from './card-source.ts'
import { unshownPicture } from './own-picture.ts'
import type { PagePlan, SitePlan } from './plan-pages.ts'
import { type PageFailure, tagsHash } from './read-pages.ts'
import { tagsOf } from './write-page.ts'

/** Finds the pages that a run would write, or whose pictures it would make, each with the reason. Nothing is written. */
export async function findStale({ folder, pages, planOf, site, source }: SitePlan) {
  const stale: PageFailure[] = []
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
    } catch (error) {
      failures.push({ file, reason: reasonOf(error) })
    }
  }
  return { stale, unshown, failures }
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
