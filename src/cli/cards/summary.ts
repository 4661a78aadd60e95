import { formatCount } from '../../lib/human-format.ts'
import type { SiteFacts } from './site-facts.ts'
import type { WrittenPages } from './write-pages.ts'

export interface RunNumbers extends Pick<WrittenPages, 'results' | 'leftAlone'> {
  readonly folder: string
  readonly site: SiteFacts
  readonly pages: number
  readonly drawn: number
  readonly copied: number
  readonly failed: number
  readonly removed: number
  /** How many pages had a picture that most pages share. */
  readonly replacedDefaults: number
}

/** What a run did, in five lines. */
export function summaryLines(run: RunNumbers): readonly string[] {
  const cards = new Set(run.results.map(({ url }) => url)).size
  const written = run.results.filter(({ state }) => state === 'written').length
  const left = Object.entries(run.leftAlone).map(([reason, count]) => `${formatCount(count)} ${reason}`)
  const name = run.site.name === undefined ? '' : ` (${run.site.name})`
  return [
    `${run.folder}: ${counted(run.pages, 'page')} of ${run.site.base}${name}`,
    `Cards: ${formatCount(cards)}; ${formatCount(run.drawn)} drawn, ${formatCount(run.copied)} from the cache, ${formatCount(run.removed)} old ones removed`,
    `Tags: ${counted(written, 'page')} written, ${formatCount(run.results.length - written)} unchanged`,
    `Left alone: ${left.length === 0 ? 'none' : left.join(', ')}`,
    run.replacedDefaults > 0
      ? `Replaced: the picture that ${counted(run.replacedDefaults, 'page')} shared; --keep-default keeps it`
      : `Failed: ${formatCount(run.failed)}`,
  ]
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
