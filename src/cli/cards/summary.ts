import { formatCount } from '../../lib/human-format.ts'
import type { PageFailure } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
import type { WrittenPages } from './write-pages.ts'

interface RunResult extends Pick<WrittenPages, 'results' | 'leftAlone' | 'known' | 'unshown'> {
  readonly folder: string
  readonly site: SiteFacts
  readonly pages: number
  readonly drawn: number
  readonly copied: number
  readonly removed: readonly string[]
  readonly failures: readonly PageFailure[]
}

/** The result of a run for people, in five lines, and one for each of the first pictures that no network shows. */
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
  const failed = run.failures.length === 0 ? '' : `; failed: ${formatCount(run.failures.length)}`
  return [
    `${run.folder}: ${counted(run.pages, 'page')} of ${site.base}${site.name === undefined ? '' : ` (${site.name})`}`,
    `Cards: ${formatCount(cards)}, ${made.join(', ')}`,
    `Tags: ${counted(written, 'page')} written, ${formatCount(results.length - written)} unchanged`,
    `Left alone: ${left.length === 0 ? 'none' : left.join(', ')}${failed}`,
    `Default picture: ${replaced === 0 ? 'none' : `replaced on ${counted(replaced, 'page')}; --keep-default keeps it`}`,
    ...run.unshown.slice(0, toldMax).map(({ file, reason }) => `${file}: ${reason}`),
    ...(run.unshown.length > toldMax
      ? [`and ${counted(run.unshown.length - toldMax, 'page')} more; --check names them all`]
      : []),
  ]
}

const toldMax = 5

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
    pictures_unshown: run.unshown,
    failures: run.failures,
  }
}

/** Counts the pages that had a picture that most pages share, and have a card in its place now. */
function replacedPages({ known, site }: RunResult): number {
  return known.filter(
    ({ isReplaced, facts: { picture } }) =>
      isReplaced && picture !== undefined && site.defaultPictures.has(picture),
  ).length
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
