import { rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { reasonOf } from '../../lib/system-reason.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'
import { createProgressBar } from '../run-program.ts'
import {
  type CardsRun,
  finishRun,
  manifestFile,
  readManifest,
  resultJson,
  summaryLines,
} from './finish-run.ts'
import { encodedPath } from './page-path.ts'
import { openPictures } from './pictures.ts'
import { createCardReader, createPagePlanner, reasonToSkip } from './plan-pages.ts'
import { type PageFailure, readPages, readSiteCache, siteCachePath } from './read-pages.ts'
import { type FoundPages, findPages, lockFolder } from './site-folder.ts'
import { findStale, writePages } from './write-pages.ts'

export interface CardsOutcome {
  readonly lines: readonly string[]
  readonly json: unknown
  readonly failures: readonly PageFailure[]
  readonly stale: readonly PageFailure[]
  /** Pages whose own picture no network shows, or not all of them, and with `strict` those whose card's layout warns. */
  readonly unshown: readonly PageFailure[]
}

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

async function readSite(run: CardsRun, { pages: files, unreadable }: FoundPages) {
  if (files.length === 0) throw new Error(`${run.folder}: there is no HTML page in it. ${notBuilt}`)
  const cachePath = siteCachePath(run.cache, run.folder)
  const cache = readSiteCache(cachePath)
  const manifest = readManifest(manifestFile(run.out))
  const progress = createProgressBar(files.length, 'pages read')
  const { site, pages, failures } = await readPages({
    folder: run.folder,
    files,
    cache,
    base: run.base,
    knownDefaults: run.keepDefault ? [] : manifest.defaultPictures,
    counts: (page) => reasonToSkip(page, run.all) === undefined,
    onRead: progress.step,
  }).finally(progress.end)
  const told = unreadable.map(({ file, error }) => ({ file, reason: reasonOf(error) }))
  return {
    site,
    pages,
    planOf: createPagePlanner(site, createCardReader(run.origin.brands), run),
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
    const found = await findStale({ ...read, folder, source }, run.strict === true)
    const { stale, unshown, warnings, failures: unplanned } = found
    const failures = [...read.failures, ...unplanned]
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

async function makeCards(run: CardsRun, read: RunSite): Promise<CardsOutcome> {
  const { source, pictures } = sourceOf(run, read)
  try {
    const progress = createProgressBar(read.pages.length, 'cards')
    const written = await writePages({
      ...read,
      folder: run.folder,
      source,
      atOnce: run.atOnce,
      stop: run.stop,
      onDone: progress.step,
    }).finally(progress.end)
    for (const line of written.warnings) run.warn(line)
    for (const fault of await source.faults()) run.warn(`A card lacks a part: ${fault}`)
    const failures = [...read.failures, ...written.failures]
    const isComplete = failures.length === 0 && !run.stop.aborted
    const removed = await finishRun(run, { ...read, written, pictures, isComplete })
    const result = {
      ...written,
      ...pictures.counts,
      removed,
      failures,
      folder: run.folder,
      site: read.site,
      pages: read.pageCount,
    }
    const { unshown } = written
    return { lines: summaryLines(result), json: resultJson(result), failures, stale: [], unshown }
  } finally {
    await source.close()
  }
}

function sourceOf(run: CardsRun, { knownPictures, site }: RunSite) {
  const extension = `.${pictureFormats[run.format].extensions[0]}`
  const pictures = openPictures(run.out, run.cache, extension, knownPictures, run.warn)
  const path = relative(run.folder, run.out).split(sep).join('/')
  return { source: run.origin.openSource(pictures, `${site.base}${encodedPath(path)}/`), pictures }
}
