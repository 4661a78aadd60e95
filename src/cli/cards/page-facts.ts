import { nonEmptyText } from '../../assets/preview/clean-text.ts'
import { createPageParser } from '../../assets/preview/page-parser.ts'
import { defaultLimits } from '../../web/fetch-limits.ts'
import { encodedPath, isFrontPage } from './page-path.ts'
import type { OriginalPage } from './rewrite-page.ts'

/** Facts of a page that a run keeps, as JSON. They are small, because a site may have a hundred thousand pages. */
export interface PageFacts {
  /** The base that relative addresses and the name of the host were read with. */
  readonly base: string
  /** Why the page gets no card unless asked for. */
  readonly leftAlone?: 'redirect' | 'noindex' | 'no markup'
  readonly canonical?: string
  readonly ogUrl?: string
  readonly title?: string
  /** The page's only heading of the first level, if its title begins with it and goes on. */
  readonly heading?: string
  /** The name of the site that the page says, not one that was guessed by the host. */
  readonly siteName?: string
  readonly description?: string
  readonly authors: readonly string[]
  readonly published?: string
  readonly section?: string
  readonly lang?: string
  readonly themeColor?: string
  /** Its own words for its card: contents of `mintmark:…` by what follows the colon. */
  readonly words: Readonly<Record<string, string>>
  /** Names of its own `og:` and `twitter:` tags that say something. */
  readonly previewTags: readonly string[]
  /** The address of its own `og:image`. */
  readonly picture?: string
  /** Whether its markup must be XML. */
  readonly isXml?: boolean
  /** Addresses of pictures in its content, in order. */
  readonly pictures: readonly string[]
}

/** Reads a page by the rules of previews. The base is the best that is known of the site while its pages are read. */
export async function readPageFacts(
  { page, head }: OriginalPage,
  file: string,
  base: string,
): Promise<PageFacts> {
  const metas = head.metas.filter(({ content }) => content.trim() !== '')
  if (!head.hasMarkup)
    return { base, leftAlone: 'no markup', authors: [], words: {}, previewTags: [], pictures: [] }
  const url = base + encodedPath(file)
  const { fields, metadata } = await parse(page.bytesOf(page.text), url)
  const leftAlone =
    fields.refresh !== null || scriptRedirect.test(page.markup.slice(0, prologCharsMax))
      ? 'redirect'
      : isNoindex(fields.robots.meta)
        ? 'noindex'
        : undefined
  const isFront = isFrontPage(file)
  const isDoubtful = isFront || metadata.articles > 1
  // The text of a page that lists others has their authors and dates.
  function says(field: string): boolean {
    return !isDoubtful || declared.test(fields.sources[field] ?? '')
  }
  const picture = metas.find(({ name }) => pictureNames.has(name))?.content
  const ogUrl = metas.find(({ name }) => name === 'og:url')?.content
  const facts = {
    leftAlone,
    canonical: head.canonical,
    ogUrl,
    title: titleOf(fields, metadata, isFront),
    heading: headingOf(metadata),
    siteName: fields.sources['site_name'] === 'host' ? null : fields.site_name,
    description: fields.description,
    published: says('published') ? fields.published : undefined,
    section: fields.section,
    lang: fields.lang,
    themeColor: fields.theme_color,
    picture: picture === undefined ? undefined : (URL.parse(picture, url)?.href ?? picture),
    isXml: isXml(page.markup) || undefined,
  }
  return {
    base,
    authors: says('author') ? fields.authors : [],
    words: Object.fromEntries(metadata.metas.flatMap(ownWord)),
    pictures: metadata.images
      .filter(({ part }) => part !== 'margin')
      .slice(0, picturesMax)
      .flatMap(({ src }) => URL.parse(src, url)?.href ?? [])
      .filter((address) => address.length <= addressCharsMax),
    previewTags: metas.map(({ name }) => name).filter((name) => /^(?:og|twitter):/.test(name)),
    ...(Object.fromEntries(
      Object.entries(facts).filter(([, value]) => value != null && value !== ''),
    ) as object),
  }
}

/** Next writes a redirect as the page of an error, which a script reads. */
const scriptRedirect = /<html id="__next_error__"/

/** Sources of a field that are about the page as a whole. */
const declared = /^(?:meta|og|jsonld|twitter):|^article:(?!time$)|^url$/

type ReadPage = Awaited<ReturnType<typeof parse>>

/** The name of a site is the title of its front page, whatever stands above the text there. */
function titleOf(
  { title, sources }: ReadPage['fields'],
  metadata: ReadPage['metadata'],
  isFront: boolean,
): string | null {
  return isFront && sources['title'] === 'h1' ? (nonEmptyText(metadata.title ?? '') ?? title) : title
}

function headingOf({ headings, title = '' }: ReadPage['metadata']): string | undefined {
  const [first, second] = headings.filter(({ level }) => level === 1)
  const text = second === undefined ? nonEmptyText((first?.text ?? '').replace(anchorAtEnd, '')) : undefined
  return text !== undefined && title.trim().length > text.length && title.trim().startsWith(text)
    ? text
    : undefined
}

/** The link to a heading, which generators put into it. */
const anchorAtEnd = /(?<![\s\u200b#¶])[\s\u200b#¶]+$/

const picturesMax = 8
const addressCharsMax = 500
const pictureNames = new Set(['og:image', 'og:image:url', 'og:image:secure_url'])

/** Facts of the page once its own picture has given way to a card. */
export function withoutPicture({ picture: _, ...facts }: PageFacts): PageFacts {
  return { ...facts, previewTags: facts.previewTags.filter((name) => !isPictureTag(name)) }
}

/** Whether a tag is about the picture of the page, and goes with it. */
export function isPictureTag(name: string): boolean {
  return /^(?:og:image|twitter:image)(?::|$)|^twitter:card$/.test(name)
}

function isXml(markup: string): boolean {
  const start = markup.slice(0, prologCharsMax)
  return /^\W{0,8}<\?xml\s/.test(start) || /<!doctype [^>]*xhtml/i.test(start)
}

const prologCharsMax = 1_024

async function parse(bytes: Uint8Array, url: string) {
  const parser = createPageParser({ url, headers: {}, contentType: 'text/html', cpuMsMax: 3_000 })
  await parser.write(bytes.subarray(0, defaultLimits.bodyBytes))
  return await parser.finish()
}

function isNoindex(robots: string | null): boolean {
  return /(?:^|[\s,])(?:noindex|none)(?:[\s,]|$)/i.test(robots ?? '')
}

function ownWord({ key, content }: { readonly key: string; readonly content: string }) {
  const name = key.startsWith(wordStart) ? key.slice(wordStart.length) : ''
  return name === '' ? [] : [[name, content] as const]
}

const wordStart = 'mintmark:'
