import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { formatCount } from '../../lib/human-format.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import type { PixelFormatName } from '../../raster/picture-formats.ts'
import { textIfReadable } from '../read-text.ts'
import type { CardOrigin } from './card-source.ts'
import { encodedPath } from './page-path.ts'
import type { Pictures } from './pictures.ts'
import type { PlanOptions } from './plan-pages.ts'
import { type PageFailure, writeSiteCache } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
import { writeWhole } from './write-file.ts'
import type { PageResult, WrittenPages } from './write-pages.ts'

interface FinishedPages {
  readonly site: SiteFacts
  readonly manifest: Manifest
  readonly cachePath: string
  readonly written: WrittenPages
  readonly pictures: Pictures
  /** True if all pages were read and written: only then is it known which pictures no page names. */
  readonly isComplete: boolean
}

type FinishingRun = Pick<CardsRun, 'out' | 'nowMs' | 'prune' | 'keepDefault' | 'sheet' | 'origin' | 'warn'>

/** Removes old pictures, and writes what is left for the next run and for people. Returns the names that were removed. */
export async function finishRun(run: FinishingRun, pages: FinishedPages): Promise<readonly string[]> {
  const { site, manifest, written, pictures } = pages
  const used = new Set(written.results.map(({ url }) => fileNameOf(url)))
  const { unusedSince, removed } = pages.isComplete
    ? unusedPictures(pictures.names(), used, manifest.unusedSince, run)
    : { unusedSince: manifest.unusedSince, removed: [] }
  const defaultPictures = run.keepDefault ? manifest.defaultPictures : [...site.defaultPictures]
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

export interface CardsRun extends PlanOptions {
  readonly folder: string
  readonly out: string
  readonly cache: string
  readonly base: string | undefined
  readonly format: PixelFormatName
  readonly origin: CardOrigin
  readonly atOnce: number
  readonly isDry: boolean
  /** With `isDry`: the layouts of cards are read for what they warn of. */
  readonly strict?: true
  /** Pictures that no page names go at once. */
  readonly prune?: true
  /** The file of a page with all cards. */
  readonly sheet?: string
  readonly stop: AbortSignal
  readonly nowMs: number
  readonly warn: (line: string) => void
}

function sheetPage(results: readonly PageResult[], sourceOf: (result: PageResult) => string): string {
  const cards = results.map(
    (result) =>
      `<figure><img loading="lazy" src="${escapeHtml(sourceOf(result))}" alt="${escapeHtml(result.title)}"><figcaption>${escapeHtml(result.file)}</figcaption></figure>`,
  )
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

/** Networks keep the address of a picture for weeks. */
const unusedDaysMax = 30
const dayMs = 86_400_000

/** Decides which pictures that no page names any more are removed now. */
function unusedPictures(
  names: readonly string[],
  used: ReadonlySet<string>,
  earlier: Manifest['unusedSince'],
  { nowMs, prune }: FinishingRun,
) {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const since = names.filter((name) => !used.has(name)).map((name) => [name, earlier[name] ?? today] as const)
  const isOld = (day: string) => prune || nowMs - Date.parse(day) >= unusedDaysMax * dayMs
  return {
    unusedSince: Object.fromEntries(since.filter(([, day]) => !isOld(day))),
    removed: since.filter(([, day]) => isOld(day)).map(([name]) => name),
  }
}

/** Notes that a run leaves for the next one beside the pictures. */
interface Manifest {
  /** Pictures of pages that cards have replaced, because most pages shared them. */
  readonly defaultPictures: readonly string[]
  /** Days since which no page names a picture, by its name. */
  readonly unusedSince: Readonly<Record<string, string>>
}

export function manifestFile(out: string): string {
  return join(out, '.mintmark.json')
}

export function readManifest(path: string): Manifest {
  const value = parseJson(textIfReadable(path))
  const { defaultPictures, unusedSince } = isJsonObject(value) ? value : {}
  return {
    defaultPictures: Array.isArray(defaultPictures)
      ? defaultPictures.filter((each) => typeof each === 'string')
      : [],
    unusedSince: isJsonObject(unusedSince)
      ? Object.fromEntries(
          Object.entries(unusedSince).flatMap(([name, day]) =>
            typeof day === 'string' ? [[name, day]] : [],
          ),
        )
      : {},
  }
}

/** One spelling for one content, because a run that changes nothing must change no byte. */
function manifestText({ defaultPictures, unusedSince }: Manifest): string {
  const sorted = Object.fromEntries(
    Object.entries(unusedSince).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  return `${JSON.stringify({ defaultPictures: [...defaultPictures].sort(), unusedSince: sorted }, null, 2)}\n`
}

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
