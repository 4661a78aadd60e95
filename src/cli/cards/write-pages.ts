import { statSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '../../lib/human-format.ts'
import { percentDecode } from '../../lib/query-pairs.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { networkBytesMax } from '../../raster/encode-within.ts'
import { forEachAtOnce } from '../run-program.ts'
import type { CardSource, CardsRun, OpenSource } from './cards-run.ts'
import type { LeftAlone, PagePlan, SitePlan } from './plan-pages.ts'
import { type FolderPage, type KnownPage, type PageFailure, tagsHash } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
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
  readonly known: readonly KnownPage[]
}

/** Gives each page its card and its tags. A page that fails is told, and the others go on. */
export async function writePages(
  { folder, atOnce, stop }: CardsRun,
  { pages, planOf, site }: SitePlan,
  source: OpenSource,
  onDone: () => void,
): Promise<WrittenPages> {
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

/** Finds the pages that a run would write, or whose pictures it would make, each with the reason. Nothing is written. */
export async function findStale(
  { folder, strict }: CardsRun,
  { pages, planOf, site }: SitePlan,
  source: OpenSource,
) {
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
      const warned = strict && 'card' in plan ? await source.layoutWarnings?.(plan.card) : undefined
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
function unshownPicture(plan: PagePlan, folder: string, { base }: SiteFacts): string | undefined {
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
