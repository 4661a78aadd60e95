import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { mediaTypesOf } from '../../assets/drawn-formats.ts'
import { languageTag } from '../../assets/kit/formats.ts'
import { cardSizes, type SizeName } from '../../assets/og/card-sizes.ts'
import { isPictureTag } from './page-facts.ts'
import { openPageText, originalPage, ownAttribute, writeTags } from './page-markup.ts'
import type { CardPlan } from './plan-pages.ts'
import { type FolderPage, type KnownPage, tagsHash } from './read-pages.ts'
import { writeWhole } from './write-file.ts'

export function tagsOf({ page, card, title, facts }: CardPlan, url: string): readonly string[] {
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
      description: facts.description,
      lang: languageTag(facts.lang ?? ''),
      otherLanguages: facts.otherLanguages ?? [],
      creator: facts.creator,
    },
    facts.previewTags,
    isXml,
  )
}

/**
 * Writes a page with these tags in place of the tags of an earlier run, and its compressed copies before it: a run that is
 * killed between them finds the page as it was. Rejects if the page is no longer what was read.
 */
export async function writePage(
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

interface TagContents {
  readonly url: string
  readonly mediaType: string
  readonly widthPx: number
  readonly heightPx: number
  readonly alt: string
  readonly title: string
  readonly description: string | undefined
  readonly lang: string | undefined
  readonly otherLanguages: readonly string[]
  readonly creator: string | undefined
}

type Tag = readonly [name: string, value: string | number | undefined]

/** The tags of a page's card, in ASCII. Title, description and kind of card are left to tags that the page has. */
export function pageTags(card: TagContents, present: readonly string[], isXml: boolean): readonly string[] {
  const texts: readonly Tag[] = [
    ['twitter:card', 'summary_large_image'],
    ['og:title', card.title],
    ['og:description', card.description],
    ['og:locale', card.lang === undefined ? undefined : localeOf(card.lang)],
    ['fediverse:creator', card.creator],
  ]
  const alternates = present.includes('og:locale:alternate')
    ? []
    : card.otherLanguages.flatMap((tag) => localeOf(tag) ?? [])
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

/** A language with its region, which networks want: `de_DE` for `de`. */
function localeOf(tag: string): string | undefined {
  try {
    const { language, region } = new Intl.Locale(tag).maximize()
    if (language.length > 3) return undefined
    return region === undefined ? language : `${language}_${region}`
  } catch {
    // `x-default` is a language of nobody.
    return undefined
  }
}

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
