import { rm } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { formatCount } from '../../lib/human-format.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'
import { createProgressBar } from '../run-program.ts'
import type { CardsRun } from './cards-run.ts'
import { encodedPath } from './page-path.ts'
import { openPictures, type Pictures, readManifest, unusedPictures, writeManifest } from './pictures.ts'
import { createPagePlanner, reasonToSkip } from './plan-pages.ts'
import { type PageFailure, readPages, readSiteCache, siteCachePath, writeSiteCache } from './read-pages.ts'
import sheetText from './sheet.txt' with { type: 'text' }
import { findPages, lockFolder, writeWhole } from './site-folder.ts'
import { findStale, type PageResult, type WrittenPages, writePages } from './write-pages.ts'

export type CardsOutcome = Awaited<ReturnType<typeof makeCards>>

/** Gives the pages of a folder their cards and tags. Rejects where nothing can be done at all. */
export async function runCards(run: CardsRun): Promise<CardsOutcome> {
  if (run.isDry) return await checkPages(run, await readSite(run, findPages(run.folder, run.out)))
  const unlock = await lockFolder(run.folder)
  try {
    const found = findPages(run.folder, run.out)
    for (const draft of found.drafts) await rm(join(run.folder, draft), { force: true })
    return await makeCards(run, await readSite(run, found))
  } finally {
    unlock()
  }
}

type RunSite = Awaited<ReturnType<typeof readSite>>

const notBuilt =
  'Build the site first, and name the folder that the build writes, such as dist, public or _site.'

async function readSite(run: CardsRun, { pages: files, unreadable }: ReturnType<typeof findPages>) {
  if (files.length === 0) throw new Error(`${run.folder}: there is no HTML page in it. ${notBuilt}`)
  const cachePath = siteCachePath(run.cache, run.folder)
  const cache = readSiteCache(cachePath)
  const manifest = readManifest(run.out)
  const progress = createProgressBar(files.length, 'pages read')
  const { site, pages, failures } = await readPages(
    run,
    files,
    cache,
    (page) => reasonToSkip(page, run.all) === undefined,
    run.keepDefault ? [] : manifest.defaultPictures,
    progress.step,
  ).finally(progress.end)
  const told = unreadable.map(({ file, error }) => ({ file, reason: reasonOf(error) }))
  return {
    site,
    pages,
    planOf: createPagePlanner(run, site),
    knownPictures: cache.pictures,
    cachePath,
    manifest,
    failures: [...told, ...failures],
    pageCount: files.length,
  }
}

async function checkPages(run: CardsRun, read: RunSite): Promise<CardsOutcome> {
  const { folder } = run
  const { site, pageCount: pages } = read
  const { source } = sourceOf(run, read)
  try {
    const { stale, unshown, warnings, ...found } = await findStale(run, read, source)
    const failures = [...read.failures, ...found.failures]
    return {
      lines: [`${folder}: ${stale.length} of ${pages} pages would be written`],
      json: {
        folder,
        base: site.base,
        pages,
        stale,
        pictures_unshown: unshown,
        layout_warnings: warnings,
        failures,
      },
      failures,
      stale,
      unshown: [...unshown, ...warnings],
    }
  } finally {
    await source.close()
  }
}

async function makeCards(run: CardsRun, read: RunSite) {
  const { folder } = run
  const { source, pictures } = sourceOf(run, read)
  try {
    const progress = createProgressBar(read.pages.length, 'cards')
    const written = await writePages(run, read, source, progress.step).finally(progress.end)
    for (const line of written.warnings) run.warn(line)
    for (const fault of await source.faults()) run.warn(`A card lacks a part: ${fault}`)
    const failures = [...read.failures, ...written.failures]
    const isComplete = failures.length === 0 && !run.stop.aborted
    const removed = await finishRun(run, read, written, pictures, isComplete)
    const { site, pageCount: pages } = read
    const result = { ...written, ...pictures.counts, removed, failures, folder, site, pages }
    return {
      lines: summaryLines(result),
      json: resultJson(result),
      failures,
      stale: [] as readonly PageFailure[],
      /** Pages whose own picture no network shows, or not all of them; with `strict` also those whose card's layout warns. */
      unshown: written.unshown,
    }
  } finally {
    await source.close()
  }
}

/** Writes what later runs and people read. Returns the pictures removed. @param isComplete all pages were written, so that all names are known */
async function finishRun(
  run: CardsRun,
  { site, manifest, cachePath }: RunSite,
  { results, known }: WrittenPages,
  pictures: Pictures,
  isComplete: boolean,
): Promise<readonly string[]> {
  const used = new Set(results.map(({ url }) => fileNameOf(url)))
  const { unusedSince, removed } = isComplete
    ? unusedPictures(pictures.names(), used, manifest.unusedSince, run)
    : { unusedSince: manifest.unusedSince, removed: [] }
  const defaultPictures = run.keepDefault ? manifest.defaultPictures : [...site.defaultPictures]
  await writeManifest(run.out, { defaultPictures, unusedSince })
  for (const name of removed) await pictures.remove(name)
  await writeSiteCache(cachePath, known, pictures.byTag).catch((error: unknown) =>
    run.warn(`Nothing is kept for the next run: ${reasonOf(error)}`),
  )
  await pictures.tidyCache(run.nowMs)
  if (run.sheet !== undefined) await writeWhole(run.sheet, sheetPage(run, run.sheet, results))
  return removed
}

function sourceOf(run: CardsRun, { knownPictures, site }: RunSite) {
  const extension = `.${pictureFormats[run.format].extensions[0]}`
  const pictures = openPictures(run.out, run.cache, extension, knownPictures, run.warn)
  const path = relative(run.folder, run.out).split(sep).join('/')
  return { source: run.origin.openSource(pictures, `${site.base}${encodedPath(path)}/`), pictures }
}

type RunResult = WrittenPages &
  Pictures['counts'] &
  Pick<RunSite, 'site'> & {
    readonly folder: string
    readonly pages: number
    readonly removed: readonly string[]
  }

function summaryLines(run: RunResult): readonly string[] {
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

function resultJson(run: RunResult): unknown {
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
function sheetPage({ out, origin }: CardsRun, sheet: string, results: readonly PageResult[]): string {
  const from = dirname(resolve(sheet))
  const cards = results.map(({ url, title, file }) => {
    const source = origin.signed === undefined ? encodedPath(relative(from, join(out, fileNameOf(url)))) : url
    const image = `<img loading="lazy" src="${escapeHtml(source)}" alt="${escapeHtml(title)}">`
    return `<figure>${image}<figcaption>${escapeHtml(file)}</figcaption></figure>`
  })
  const count = String(results.length)
  return sheetText.replace('{count}', count).replace('{cards}', () => cards.join('\n'))
}

function fileNameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
