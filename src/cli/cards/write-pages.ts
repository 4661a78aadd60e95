import { reasonOf } from '../../lib/system-reason.ts'
import { forEachAtOnce } from '../run-program.ts'
import type { KnownPage } from './facts-cache.ts'
import { unshownPicture } from './find-stale.ts'
import type { LeftAlone, SitePlan } from './plan-pages.ts'
import { type FolderPage, type PageFailure, tagsHash } from './read-pages.ts'
import { tagsOf, writePage } from './write-page.ts'

export interface PageResult {
  readonly file: string
  readonly title: string
  readonly url: string
  readonly state: 'written' | 'unchanged'
}

export interface WrittenPages {
  readonly results: readonly PageResult[]
  readonly leftAlone: Readonly<Partial<Record<LeftAlone, number>>>
  readonly failures: readonly PageFailure[]
  /** Pages whose own picture no network shows, or not all of them. */
  readonly unshown: readonly PageFailure[]
  readonly warnings: readonly string[]
  /** Every page as it is now. */
  readonly known: readonly KnownPage[]
}

interface WriteOptions extends SitePlan {
  readonly atOnce: number
  readonly stop: AbortSignal
  readonly onDone: () => void
}

/** Gives each page its card and its tags. A page that fails is told, and the others go on. */
export async function writePages({
  folder,
  pages,
  planOf,
  site,
  source,
  atOnce,
  stop,
  onDone,
}: WriteOptions): Promise<WrittenPages> {
  const results = new Map<number, PageResult>()
  const failures: PageFailure[] = []
  const unshown: PageFailure[] = []
  const warnings: string[] = []
  const known = pages.map((page) => page.known)
  const leftAlone: Partial<Record<LeftAlone, number>> = {}

  async function write(page: FolderPage, index: number): Promise<void> {
    const plan = await planOf(page)
    if ('leftAlone' in plan) {
      leftAlone[plan.leftAlone] = (leftAlone[plan.leftAlone] ?? 0) + 1
      const reason = unshownPicture(plan, folder, site)
      if (reason !== undefined) unshown.push({ file: page.file, reason })
      // Tags of an earlier run would contradict what the page says now.
      if (page.known.tags !== '') known[index] = await writePage(folder, page, [], false)
      return
    }
    for (const warning of plan.warnings) warnings.push(`${page.file}: ${warning}`)
    const url = await source.ensure(plan.card)
    const tags = tagsOf(plan, url)
    const isSame = !plan.isReplaced && tagsHash(tags) === page.known.tags
    if (!isSame) known[index] = await writePage(folder, page, tags, plan.isReplaced)
    results.set(index, { file: page.file, title: plan.title, url, state: isSame ? 'unchanged' : 'written' })
  }

  async function tryToWrite(page: FolderPage, index: number): Promise<void> {
    await write(page, index).catch((error: unknown) =>
      failures.push({ file: page.file, reason: reasonOf(error) }),
    )
    onDone()
  }
  await forEachAtOnce(pages, atOnce, tryToWrite, stop)
  const inOrder = [...results].toSorted(([one], [other]) => one - other)
  return { results: inOrder.map(([, result]) => result), leftAlone, failures, unshown, warnings, known }
}
