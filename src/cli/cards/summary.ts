import { formatCount } from '../../lib/human-format.ts'
import type { PagePlan } from './plan-pages.ts'
import type { PageFailure } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
import type { WrittenPages } from './write-pages.ts'

interface RunResult extends Pick<WrittenPages, 'results' | 'leftAlone'> {
  readonly folder: string
  readonly site: SiteFacts
  readonly pages: number
  readonly plans: readonly PagePlan[]
  readonly drawn: number
  readonly copied: number
  readonly removed: readonly string[]
  readonly failures: readonly PageFailure[]
}

/** The result of a run for people, in five lines. */
export function summaryLines(run: RunResult): readonly string[] {
  const { results, leftAlone, site } = run
  const cards = new Set(results.map(({ url }) => url)).size
  const written = results.filter(({ state }) => state === 'written').length
  const left = Object.entries(leftAlone).map(([reason, count]) => `${formatCount(count)} ${reason}`)
  const replaced = replacedPages(run)
  const made = [
    `${formatCount(run.drawn)} drawn`,
    `${formatCount(run.copied)} from the cache`,
    ...(run.removed.length === 0 ? [] : [`${formatCount(run.removed.length)} old ones removed`]),
  ]
  const notes = [
    ...(left.length === 0 ? [] : [left.join(', ')]),
    ...(run.failures.length === 0 ? [] : [`${formatCount(run.failures.length)} failed`]),
  ]
  return [
    `${run.folder}: ${counted(run.pages, 'page')} of ${site.base}${site.name === undefined ? '' : ` (${site.name})`}`,
    `Cards: ${formatCount(cards)}, ${made.join(', ')}`,
    `Tags: ${counted(written, 'page')} written, ${formatCount(results.length - written)} unchanged`,
    `Left alone: ${notes.length === 0 ? 'none' : notes.join(', ')}`,
    `Default picture: ${replaced === 0 ? 'none' : `replaced on ${counted(replaced, 'page')}; --keep-default keeps it`}`,
  ]
}

/** The result of a run for programs. */
export function resultJson(run: RunResult): unknown {
  return {
    folder: run.folder,
    base: run.site.base,
    site: run.site.name ?? null,
    pages: run.results,
    left_alone: run.leftAlone,
    drawn: run.drawn,
    from_cache: run.copied,
    removed: run.removed,
    default_pictures_replaced: replacedPages(run),
    failures: run.failures,
  }
}

/** How many pages had a picture that most pages share, and that is their card now. */
function replacedPages({ plans, site }: RunResult): number {
  return plans.filter((plan) => !('leftAlone' in plan) && isDefault(plan.page.known.facts.picture, site))
    .length
}

function isDefault(picture: string | undefined, { defaultPictures }: SiteFacts): boolean {
  return picture !== undefined && defaultPictures.has(picture)
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
