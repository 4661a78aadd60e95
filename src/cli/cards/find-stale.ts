import { reasonOf } from '../../lib/system-reason.ts'
import type { CardSource } from './card-source.ts'
import type { PagePlan } from './plan-pages.ts'
import { type FolderPage, type PageFailure, tagsHash } from './read-pages.ts'
import { tagsOf } from './write-page.ts'

interface StalePages {
  /** Pages that a run would write, or whose pictures it would make, each with the reason. */
  readonly stale: readonly PageFailure[]
  readonly failures: readonly PageFailure[]
}

/** Finds what a run would do. Nothing is written. */
export async function findStale(
  pages: readonly FolderPage[],
  planOf: (page: FolderPage) => Promise<PagePlan>,
  source: CardSource,
): Promise<StalePages> {
  const stale: PageFailure[] = []
  const failures: PageFailure[] = []
  for (const page of pages) {
    const { file } = page
    try {
      const reason = await staleness(await planOf(page), source)
      if (reason !== undefined) stale.push({ file, reason })
    } catch (error) {
      failures.push({ file, reason: reasonOf(error) })
    }
  }
  return { stale, failures }
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
