import { rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import { reasonOf } from '../../lib/system-reason.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'
import { createProgressBar } from '../render/progress-bar.ts'
import type { CardsRun } from './cards-run.ts'
import { createDrawnSource } from './drawn-source.ts'
import { readSiteCache, type SiteCache, siteCachePath } from './facts-cache.ts'
import { findPages } from './find-pages.ts'
import { findStale } from './find-stale.ts'
import { finishRun } from './finish-run.ts'
import { lockFolder } from './folder-lock.ts'
import { type Manifest, manifestFile, readManifest } from './manifest.ts'
import { encodedPath } from './page-path.ts'
import { openPictures } from './pictures.ts'
import { createCardReader, type PlannedPages, planPages, reasonToSkip } from './plan-pages.ts'
import { type PageFailure, type ReadSite, readPages } from './read-pages.ts'
import { resultJson, summaryLines } from './summary.ts'
import { writePages } from './write-pages.ts'

export interface CardsOutcome {
  /** The summary for people. */
  readonly lines: readonly string[]
  readonly json: unknown
  readonly failures: readonly PageFailure[]
  /** Pages that a run would write, of a run that writes nothing. */
  readonly stale: readonly PageFailure[]
}

/** Gives the pages of a folder their cards and tags. Rejects where nothing can be done at all. */
export async function runCards(run: CardsRun): Promise<CardsOutcome> {
  const { pages, drafts, unreadable } = findPages(run.folder, run.out)
  if (pages.length === 0) throw new Error(`${run.folder}: there is no HTML page in it.`)
  const failures = unreadable.map(({ file, error }) => ({ file, reason: reasonOf(error) }))
  if (run.isDry) return await readAndPlan(run, pages, failures, checkPages)
  const unlock = await lockFolder(run.folder)
  try {
    for (const draft of drafts) await rm(join(run.folder, draft), { force: true })
    return await readAndPlan(run, pages, failures, makeCards)
  } finally {
    unlock()
  }
}

/** A site that was read, with what its pages get. */
interface PlannedSite {
  readonly read: ReadSite
  readonly planned: PlannedPages
  readonly cache: SiteCache
  readonly cachePath: string
  readonly manifest: Manifest
  readonly failures: readonly PageFailure[]
  readonly pages: number
}

async function readAndPlan(
  run: CardsRun,
  files: readonly string[],
  unreadable: readonly PageFailure[],
  then: (run: CardsRun, site: PlannedSite) => Promise<CardsOutcome>,
): Promise<CardsOutcome> {
  const cachePath = siteCachePath(run.cache, run.folder)
  const cache = readSiteCache(cachePath)
  const manifest = readManifest(manifestFile(run.out))
  const progress = progressBar(files.length, 'pages read')
  const read = await readPages({
    folder: run.folder,
    files,
    cache,
    base: run.base,
    knownDefaults: run.keepsDefault ? [] : manifest.defaultPictures,
    counts: (page) => reasonToSkip(page, run.isAll) === undefined,
    onRead: progress.step,
  }).finally(progress.end)
  const planned = planPages(read.pages, read.site, createCardReader(run.brands), run)
  for (const line of planned.warnings) run.warn(line)
  const failures = [...unreadable, ...read.failures, ...planned.failures]
  return await then(run, { read, planned, cache, cachePath, manifest, failures, pages: files.length })
}

/** Says what a run would write. */
async function checkPages(run: CardsRun, site: PlannedSite): Promise<CardsOutcome> {
  const { source, close } = sourceOf(run, site)
  try {
    const stale = await findStale(site.planned.plans, source)
    const { failures, pages } = site
    const { base } = site.read.site
    return {
      lines: [`${run.folder}: ${stale.length} of ${pages} pages would be written`],
      json: { folder: run.folder, base, pages, stale, failures },
      failures,
      stale,
    }
  } finally {
    await close()
  }
}

async function makeCards(run: CardsRun, site: PlannedSite): Promise<CardsOutcome> {
  const { plans } = site.planned
  const { source, pictures, faults, close } = sourceOf(run, site)
  try {
    const progress = progressBar(plans.length, 'cards')
    const written = await writePages({
      folder: run.folder,
      plans,
      source,
      atOnce: 2 * run.jobs,
      stop: run.stop,
      onDone: progress.step,
    }).finally(progress.end)
    for (const fault of await faults()) run.warn(`A card lacks a part: ${fault}`)
    const failures = [...site.failures, ...written.failures]
    const isComplete = failures.length === 0 && !run.stop.aborted
    const removed = await finishRun(run, { ...site, site: site.read.site, written, pictures, isComplete })
    const numbers = {
      ...written,
      ...pictures.counts,
      removed,
      failures,
      folder: run.folder,
      plans,
      pages: site.pages,
    }
    const result = { ...numbers, site: site.read.site }
    return { lines: summaryLines(result), json: resultJson(result), failures, stale: [] }
  } finally {
    await close()
  }
}

function sourceOf(run: CardsRun, { cache, read }: PlannedSite) {
  const pictures = openPictures({
    out: run.out,
    cache: run.cache,
    extension: `.${pictureFormats[run.format].extensions[0]}`,
    known: cache.pictures,
    warn: run.warn,
  })
  const path = relative(run.folder, run.out).split(sep).join('/')
  const drawn = createDrawnSource({ ...run, pictures, address: `${read.site.base}${encodedPath(path)}/` })
  return { source: run.server ?? drawn, pictures, faults: drawn.faults, close: drawn.close }
}

function progressBar(total: number, unit: string) {
  return createProgressBar(process.stderr, total, () => performance.now(), unit)
}
