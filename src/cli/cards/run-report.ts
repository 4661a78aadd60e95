import { dirname, join, relative, resolve } from 'node:path'
import { formatCount } from '../../lib/human-format.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'
import type { CardsRun } from './cards-run.ts'
import { encodedPath } from './page-path.ts'
import type { PageFailure } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
import type { PageResult, WrittenPages } from './write-pages.ts'

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

/** The page with all cards of a run. A picture is named by its file, or by its URL at the server. */
export function sheetPage({ out, origin }: CardsRun, sheet: string, results: readonly PageResult[]): string {
  const from = dirname(resolve(sheet))
  const cards = results.map(({ url, title, file }) => {
    const source = origin.signed === undefined ? encodedPath(relative(from, join(out, fileNameOf(url)))) : url
    const image = `<img loading="lazy" src="${escapeHtml(source)}" alt="${escapeHtml(title)}">`
    return `<figure>${image}<figcaption>${escapeHtml(file)}</figcaption></figure>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width">
<title>${results.length} cards</title>
<style>
body { margin: 24px; font: 14px system-ui; background: #777; color: #fff; display: grid; gap: 24px; grid-template-columns: repeat(auto-fill, minmax(360px, 1fr)) }
figure { margin: 0; overflow-wrap: anywhere }
img { width: 100%; display: block; margin-bottom: 6px }
</style>
${cards.join('\n')}
</html>
`
}

export function fileNameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
