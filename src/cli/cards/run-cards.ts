import { existsSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import type { CardBrands } from '../../assets/og/brand/card-brands.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { type PixelFormatName, pictureFormats } from '../../raster/picture-formats.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { createProgressBar } from '../render/progress-bar.ts'
import type { CardSource } from './card-source.ts'
import { createDrawnSource } from './drawn-source.ts'
import { readSiteCache, siteCachePath, writeSiteCache } from './facts-cache.ts'
import { findPages } from './find-pages.ts'
import { findStale } from './find-stale.ts'
import { lockFolder } from './folder-lock.ts'
import { manifestName, manifestText, readManifest } from './manifest.ts'
import { encodedPath } from './page-path.ts'
import { openPictures } from './pictures.ts'
import { createCardReader, type PlanOptions, planPages, reasonToSkip } from './plan-pages.ts'
import { type Failure, readPages } from './read-pages.ts'
import { sheetPage } from './sheet.ts'
import { summaryLines } from './summary.ts'
import { unusedPictures } from './unused-pictures.ts'
import { writeWhole } from './write-file.ts'
import { writePages } from './write-pages.ts'

export interface CardsRun extends PlanOptions {
  readonly folder: string
  /** The folder of pictures below the folder, as a path. */
  readonly out: string
  readonly cache: string
  readonly base: string | undefined
  readonly format: PixelFormatName
  /** Makes addresses of a server in place of files. */
  readonly server: CardSource | undefined
  readonly drawer: PictureDrawer
  readonly jobs: number
  /** Nothing is written, and what would be is told. */
  readonly isDry: boolean
  readonly isCheck: boolean
  readonly prunes: boolean
  readonly sheet: string | undefined
  readonly stop: AbortSignal
  readonly nowMs: number
  readonly warn: (line: string) => void
}

export interface CardsOutcome {
  readonly lines: readonly string[]
  readonly json: unknown
  readonly failures: readonly Failure[]
  readonly stale: readonly Failure[]
}

/** Gives the pages of a folder their cards and tags. Rejects where nothing can be done at all. */
export async function runCards(run: CardsRun): Promise<CardsOutcome> {
  const found = findPages(run.folder, run.out)
  if (found.pages.length === 0) throw new Error(`${run.folder}: there is no HTML page in it.`)
  const unlock = run.isDry ? () => {} : await lockFolder(run.folder)
  try {
    if (!run.isDry) for (const draft of found.drafts) await rm(join(run.folder, draft), { force: true })
    const unreadable = found.unreadable.map(({ file, error }) => ({ file, reason: reasonOf(error) }))
    return await runLocked(run, found.pages, unreadable)
  } finally {
    unlock()
  }
}

async function runLocked(
  run: CardsRun,
  files: readonly string[],
  unreadable: readonly Failure[],
): Promise<CardsOutcome> {
  const { folder, out } = run
  const cachePath = siteCachePath(run.cache, folder)
  const cache = readSiteCache(cachePath)
  const manifest = readManifest(join(out, manifestName))
  const reading = progressBar(files.length, 'read')
  const read = await readPages({
    folder,
    files,
    cache,
    base: run.base,
    knownDefaults: run.keepsDefault ? [] : manifest.defaultPictures,
    counts: (page) => reasonToSkip(page, run.isAll) === undefined,
    onRead: reading.step,
  }).finally(reading.end)
  const { site } = read
  const planned = planPages(read.pages, site, createCardReader(run.brands), run)
  for (const line of planned.warnings) run.warn(line)
  const failures = [...unreadable, ...read.failures, ...planned.failures]
  const pictures = openPictures({
    out,
    cache: run.cache,
    extension: `.${pictureFormats[run.format].extensions[0]}`,
    known: cache.pictures,
    warn: run.warn,
  })
  const address = `${site.base}${encodedPath(relative(folder, out).split('\\').join('/'))}/`
  const drawn = createDrawnSource({ ...run, pictures, address })
  const source = run.server ?? drawn
  try {
    if (run.isDry) {
      const stale = await findStale(planned.plans, source)
      return {
        lines: [`${folder}: ${stale.length} of ${files.length} pages would be written`],
        json: { folder, base: site.base, pages: files.length, stale, failures },
        failures,
        stale,
      }
    }
    const writing = progressBar(planned.plans.length, 'cards')
    const written = await writePages({
      folder,
      plans: planned.plans,
      source,
      atOnce: 2 * run.jobs,
      stop: run.stop,
      onDone: writing.step,
    }).finally(writing.end)
    for (const fault of await drawn.faults()) run.warn(`A card lacks a part: ${fault}`)
    failures.push(...written.failures)
    const isComplete = failures.length === 0 && !run.stop.aborted
    const used = new Set(written.results.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)))
    const unused = isComplete
      ? unusedPictures(pictures.names(), used, {
          earlier: manifest.unusedSince,
          nowMs: run.nowMs,
          prunes: run.prunes,
        })
      : { unusedSince: manifest.unusedSince, removed: [] }
    const text = manifestText({
      defaultPictures: run.keepsDefault ? manifest.defaultPictures : [...site.defaultPictures],
      unusedSince: unused.unusedSince,
    })
    await writeManifest(join(out, manifestName), text)
    for (const name of unused.removed) await pictures.remove(name)
    await writeSiteCache(cachePath, written.known, pictures.byTag).catch((error: unknown) =>
      run.warn(`Nothing is kept for the next run: ${reasonOf(error)}`),
    )
    if (run.sheet !== undefined) {
      const from = dirname(resolve(run.sheet))
      const sheet = sheetPage(written.results, ({ url }) =>
        run.server === undefined
          ? encodedPath(relative(from, join(out, url.slice(url.lastIndexOf('/') + 1))))
          : url,
      )
      await writeWhole(run.sheet, sheet)
    }
    const numbers = {
      folder,
      site,
      pages: files.length,
      results: written.results,
      leftAlone: written.leftAlone,
      drawn: pictures.counts.drawn,
      copied: pictures.counts.copied,
      removed: unused.removed.length,
      failed: failures.length,
      replacedDefaults: 0,
    }
    return {
      lines: summaryLines(numbers),
      json: {
        folder,
        base: site.base,
        site: site.name ?? null,
        pages: written.results,
        left_alone: written.leftAlone,
        drawn: numbers.drawn,
        from_cache: numbers.copied,
        removed: unused.removed,
        failures,
      },
      failures,
      stale: [],
    }
  } finally {
    await drawn.close()
  }
}

async function writeManifest(path: string, text: string): Promise<void> {
  const isEmpty = text === manifestText({ defaultPictures: [], unusedSince: {} })
  if (isEmpty && !existsSync(dirname(path))) return
  if (text === manifestText(readManifest(path)) && existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  await writeWhole(path, text)
}

function progressBar(total: number, unit: string) {
  return createProgressBar(process.stderr, total, () => performance.now(), unit)
}
