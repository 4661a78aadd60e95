import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { mediaTypesOf } from '../../assets/kit/asset.ts'
import { languageTag } from '../../assets/kit/formats.ts'
import { cardSizes, type SizeName } from '../../assets/og/theme.ts'
import { formatBytes } from '../../lib/human-format.ts'
import { memo } from '../../lib/memo.ts'
import { percentDecode } from '../../lib/query-pairs.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { networkBytesMax } from '../../raster/encode-within.ts'
import { forEachAtOnce } from '../run-program.ts'
import type { CardSource, CardsRun, OpenSource } from './cards-run.ts'
import { isPictureTag } from './page-facts.ts'
import { openPageText, originalPage, ownAttribute, writeTags } from './page-markup.ts'
import type { CardPlan, LeftAlone, PagePlan, SitePlan } from './plan-pages.ts'
import { type FolderPage, type KnownPage, type PageFailure, tagsHash } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'
import { writeWhole } from './site-folder.ts'

export interface PageResult {
  readonly file: string
  readonly title: string
  readonly url: string
  readonly state: 'written' | 'unchanged'
}

export type WrittenPages = Awaited<ReturnType<typeof writePages>>

export async function writePages(
  { folder, atOnce, stop }: CardsRun,
  { pages, planOf, site }: SitePlan,
  source: OpenSource,
  onDone: () => void,
) {
  const results: PageResult[] = []
  const failures: PageFailure[] = []
  const unshown: PageFailure[] = []
  const warnings: string[] = []
  const known = pages.map((page) => page.known)
  const leftAlone: Partial<Record<LeftAlone, number>> = {}

  async function write(page: FolderPage, index: number): Promise<void> {
    const plan = await planOf(page)
    if ('leftAlone' in plan) {
      leftAlone[plan.leftAlone] = (leftAlone[plan.leftAlone] ?? 0) + 1
      const reason = unshownPicture(plan, folder, site)
      if (reason !== undefined) unshown.push({ file: page.file, reason })
      // Tags of an earlier run would contradict what the page says now.
      if (page.known.tags !== '') known[index] = await writePage(folder, page, [], false)
      return
    }
    for (const warning of plan.warnings) warnings.push(`${page.file}: ${warning}`)
    const url = await source.ensure(plan.card)
    const tags = tagsOf(plan, url)
    const isSame = !plan.isReplaced && tagsHash(tags) === page.known.tags
    if (!isSame) known[index] = await writePage(folder, page, tags, plan.isReplaced)
    results[index] = { file: page.file, title: plan.title, url, state: isSame ? 'unchanged' : 'written' }
  }

  async function tryToWrite(page: FolderPage, index: number): Promise<void> {
    await write(page, index).catch((error) => failures.push({ file: page.file, reason: reasonOf(error) }))
    onDone()
  }
  await forEachAtOnce(pages, atOnce, tryToWrite, stop)
  // In the order of the pages, without those that were left alone.
  return { results: Object.values(results), leftAlone, failures, unshown, warnings, known }
}

export async function findStale(
  { folder, strict }: CardsRun,
  { pages, planOf, site }: SitePlan,
  source: OpenSource,
) {
  const stale: PageFailure[] = []
  const warnings: PageFailure[] = []
  const unshown: PageFailure[] = []
  const failures: PageFailure[] = []
  for (const page of pages) {
    const { file } = page
    try {
      const plan = await planOf(page)
      const reason = await staleness(plan, source)
      const fault = unshownPicture(plan, folder, site)
      if (fault !== undefined) unshown.push({ file, reason: fault })
      if (reason !== undefined) stale.push({ file, reason })
      const warned = strict && 'card' in plan ? await source.layoutWarnings?.(plan.card) : undefined
      for (const warning of warned ?? []) warnings.push({ file, reason: `on its card, ${warning}` })
    } catch (error) {
      failures.push({ file, reason: reasonOf(error) })
    }
  }
  return { stale, unshown, warnings, failures }
}

async function staleness(plan: PagePlan, source: CardSource): Promise<string | undefined> {
  const { tags } = plan.page.known
  if ('leftAlone' in plan)
    return tags === '' ? undefined : `has tags of a card, but is left alone: ${plan.leftAlone}`
  if (plan.isReplaced) return 'has a picture that its card replaces'
  if (tags === '') return 'has no tags of a card'
  const url = await source.find(plan.card)
  if (url === undefined) return 'its card has changed, or its picture is missing'
  return tagsHash(tagsOf(plan, url)) === tags ? undefined : 'its tags have changed'
}

/** Says why networks do not show the picture that a page has of its own; undefined where they do. */
function unshownPicture(plan: PagePlan, folder: string, { base }: SiteFacts): string | undefined {
  const { picture, isPictureRelative } = plan.page.known.facts
  if (!('leftAlone' in plan) || plan.leftAlone !== 'own picture' || picture === undefined) return undefined
  const path = picture.split(/[?#]/)[0] ?? ''
  const file = path.startsWith(base) ? join(folder, percentDecode(path.slice(base.length)) ?? '') : undefined
  const bytes = (file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size) ?? 0
  const faults = [
    /\.svgz?$/i.test(path) && 'is an SVG, which no network shows',
    isPictureRelative && 'is relative, and networks want the whole URL',
    bytes > networkBytesMax &&
      `has ${formatBytes(bytes)}, and WhatsApp shows at most ${formatBytes(networkBytesMax)}`,
    /\.webp$/i.test(path) && 'is a WebP, which LinkedIn does not show',
  ].filter((fault) => typeof fault === 'string')
  return faults.length === 0 ? undefined : `its og:image ${faults.join(', and ')}; --replace gives it a card`
}

function tagsOf({ page, card, title, description, facts }: CardPlan, url: string): readonly string[] {
  const { format, size, width } = card.parsed.query as {
    readonly format: Parameters<typeof mediaTypesOf>[0][number]
    readonly size: SizeName
    readonly width?: number
  }
  const { widthPx, heightPx } = cardSizes[size]
  const isXml = facts.isXml === true || page.file.toLowerCase().endsWith('.xhtml')
  const [mediaType = ''] = mediaTypesOf([format])
  return pageTags(
    {
      url,
      mediaType,
      widthPx: width ?? widthPx,
      heightPx: width === undefined ? heightPx : Math.round((width * heightPx) / widthPx),
      alt: card.pairs.find(([name]) => name === 'title')?.[1] ?? title,
      title,
      description,
      lang: languageTag(facts.lang ?? ''),
      otherLanguages: facts.otherLanguages ?? [],
      creator: facts.creator,
    },
    facts.previewTags,
    isXml,
  )
}

/** Writes a page with these tags, after its compressed copies: a killed run leaves the page as it was. Rejects if it changed since it was read. */
async function writePage(
  folder: string,
  { file, known }: FolderPage,
  tags: readonly string[],
  isReplaced: boolean,
): Promise<KnownPage> {
  const path = join(folder, file)
  const bytes = readFileSync(path)
  if (hash('sha256', bytes, 'base64url') !== known.page)
    throw new Error('it has changed while the run was reading the site')
  const original = originalPage(openPageText(bytes))
  const replaced = isReplaced ? original.head.metas.filter(({ name }) => isPictureTag(name)) : []
  const written = writeTags(original, tags, replaced)
  const mode = statSync(path).mode & 0o7777
  await writeCompressedCopies(path, written, mode)
  await writeWhole(path, written, mode)
  return {
    ...known,
    page: hash('sha256', written, 'base64url'),
    isReplaced: known.isReplaced || isReplaced,
    tags: tagsHash(tags),
  }
}

const compressors: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  '.gz': (bytes) => zlib.gzipSync(bytes, { level: 9 }),
  '.br': (bytes) => zlib.brotliCompressSync(bytes),
  '.zst': zstd,
}

/** The client's command runs on Node 20, which has none. */
function zstd(bytes: Uint8Array): Uint8Array {
  if (zlib.zstdCompressSync === undefined)
    throw new Error('its copy in .zst can be written by Node 22.15 or newer, not by this one')
  return zlib.zstdCompressSync(bytes)
}

/** Writes the compressed copies beside a page again, where there are any: servers give them out in its place. */
async function writeCompressedCopies(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  for (const [end, compress] of Object.entries(compressors))
    if (existsSync(path + end)) await writeWhole(path + end, compress(bytes), mode)
}

type TagContents = Readonly<
  Record<'url' | 'mediaType' | 'alt' | 'title', string> &
    Record<'widthPx' | 'heightPx', number> &
    Record<'description' | 'lang' | 'creator', string | undefined>
> & { readonly otherLanguages: readonly string[] }

type Tag = readonly [name: string, value: string | number | undefined]

/** Title, description and kind of card are left to tags that the page has. */
export function pageTags(card: TagContents, present: readonly string[], isXml: boolean): readonly string[] {
  const texts: readonly Tag[] = [
    ['twitter:card', 'summary_large_image'],
    ['og:title', card.title],
    ['og:description', card.description],
    ['og:locale', localeOf(card.lang ?? '') || undefined],
    ['fediverse:creator', card.creator],
  ]
  const alternates = present.includes('og:locale:alternate')
    ? []
    : card.otherLanguages.flatMap((tag) => localeOf(tag) || [])
  const picture: readonly Tag[] = [
    ['og:image', card.url],
    ['og:image:type', card.mediaType],
    ['og:image:width', card.widthPx],
    ['og:image:height', card.heightPx],
    ['og:image:alt', card.alt],
  ]
  const missing = texts.filter(([name, value]) => value !== undefined && !present.includes(name))
  const others = [...new Set(alternates)].map((locale) => ['og:locale:alternate', locale] as const)
  return [...picture, ...missing, ...others].map(([name, value = '']) => {
    const attribute = name.startsWith('og:') ? 'property' : 'name'
    const end = isXml ? `${ownAttribute}="" />` : `${ownAttribute}>`
    return `<meta ${attribute}="${name}" content="${asciiText(`${value}`)}" ${end}`
  })
}

/** A language with its region, which networks want: `de_DE` for `de`; empty for what is no language. */
const localeOf = memo((tag: string): string => {
  try {
    const { language, region } = new Intl.Locale(tag).maximize()
    if (language.length > 3) return ''
    return region === undefined ? language : `${language}_${region}`
  } catch {
    // `x-default` is a language of nobody.
    return ''
  }
})

/** A text for an attribute in any charset: characters beyond ASCII, and those of markup, as numeric references. */
function asciiText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/&/g, '&amp;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break must not end the line
      .replace(/[<>"'\u0000-\u001f]|[^\u0000-\u007e]/gu, (character) => `&#${character.codePointAt(0)};`)
  )
}
