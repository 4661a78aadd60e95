import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { reasonOf } from '../../lib/system-reason.ts'
import type { CardsRun } from './cards-run.ts'
import { writeSiteCache } from './facts-cache.ts'
import { type Manifest, manifestFile, manifestText, readManifest } from './manifest.ts'
import { encodedPath } from './page-path.ts'
import type { Pictures } from './pictures.ts'
import { sheetPage } from './sheet.ts'
import type { SiteFacts } from './site-facts.ts'
import { unusedPictures } from './unused-pictures.ts'
import { writeWhole } from './write-file.ts'
import type { WrittenPages } from './write-pages.ts'

interface FinishedPages {
  readonly site: SiteFacts
  readonly manifest: Manifest
  readonly cachePath: string
  readonly written: WrittenPages
  readonly pictures: Pictures
  /** Whether all pages were read and written: only then is it known which pictures no page names. */
  readonly isComplete: boolean
}

type FinishingRun = Pick<CardsRun, 'out' | 'nowMs' | 'prunes' | 'keepsDefault' | 'sheet' | 'origin' | 'warn'>

/** Removes old pictures, and writes what is left for the next run and for people. Returns the names that were removed. */
export async function finishRun(run: FinishingRun, pages: FinishedPages): Promise<readonly string[]> {
  const { site, manifest, written, pictures } = pages
  const used = new Set(written.results.map(({ url }) => fileNameOf(url)))
  const { unusedSince, removed } = pages.isComplete
    ? unusedPictures(pictures.names(), used, {
        earlier: manifest.unusedSince,
        nowMs: run.nowMs,
        prunes: run.prunes,
      })
    : { unusedSince: manifest.unusedSince, removed: [] }
  const defaultPictures = run.keepsDefault ? manifest.defaultPictures : [...site.defaultPictures]
  await writeManifest(manifestFile(run.out), { defaultPictures, unusedSince })
  for (const name of removed) await pictures.remove(name)
  await writeSiteCache(pages.cachePath, written.known, pictures.byTag).catch((error: unknown) =>
    run.warn(`Nothing is kept for the next run: ${reasonOf(error)}`),
  )
  await pictures.tidyCache(run.nowMs)
  if (run.sheet !== undefined)
    await writeWhole(run.sheet, sheetPage(written.results, sheetSource(run, run.sheet)))
  return removed
}

async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  const text = manifestText(manifest)
  const isEmpty = text === manifestText({ defaultPictures: [], unusedSince: {} })
  if (isEmpty && !existsSync(dirname(path))) return
  if (existsSync(path) && text === manifestText(readManifest(path))) return
  mkdirSync(dirname(path), { recursive: true })
  await writeWhole(path, text)
}

/** Returns what the sheet names as the source of a picture: its file, or its address at the server. */
function sheetSource({ out, origin }: FinishingRun, sheet: string) {
  const from = dirname(resolve(sheet))
  return ({ url }: { readonly url: string }): string =>
    origin.signed === undefined ? encodedPath(relative(from, join(out, fileNameOf(url)))) : url
}

function fileNameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
