import type { CardSource } from './card-source.ts'
import type { PagePlan } from './plan-pages.ts'
import { type PageFailure, tagsHash } from './read-pages.ts'
import { tagsOf } from './write-page.ts'

/** Pages that a run would write, or whose pictures it would make, each with the reason. Nothing is written. */
export async function findStale(
  plans: readonly PagePlan[],
  source: CardSource,
): Promise<readonly PageFailure[]> {
  const stale: PageFailure[] = []
  for (const plan of plans) {
    const reason = await staleness(plan, source)
    if (reason !== undefined) stale.push({ file: plan.page.file, reason })
  }
  return stale
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
