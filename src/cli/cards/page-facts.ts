import { type StatedFacts, saidOnly, statedFacts } from '../../assets/card/stated-facts.ts'
import { createPageParser } from '../../assets/preview/page-parser.ts'
import type { PageFields } from '../../assets/preview/preview.ts'
import { defaultLimits } from '../../web/fetch-limits.ts'
import { encodedPath, isFrontPage } from './page-path.ts'
import type { OriginalPage } from './rewrite-page.ts'

/** Facts of a page that a run keeps, as JSON. They are small, because a site may have a hundred thousand pages. */
export interface PageFacts extends StatedFacts {
  /** The base that relative addresses and the name of the host were read with. */
  readonly base: string
  /** Why the page gets no card unless asked for. */
  readonly leftAlone?: 'redirect' | 'noindex' | 'no markup'
  readonly canonical?: string
  readonly ogUrl?: string
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
  const parsed = await parse(page.bytesOf(page.text), url)
  const picture = metas.find(({ name }) => pictureNames.has(name))?.content
  const ogUrl = metas.find(({ name }) => name === 'og:url')?.content
  const facts = {
    leftAlone: reasonToLeaveAlone(parsed.fields, page.text),
    canonical: head.canonical,
    ogUrl,
    picture: picture === undefined ? undefined : (URL.parse(picture, url)?.href ?? picture),
    isXml: isXml(page.text) || undefined,
  }
  return {
    base,
    ...statedFacts(parsed, isFrontPage(file)),
    pictures: parsed.metadata.images
      .filter(({ part }) => part !== 'margin')
      .slice(0, picturesMax)
      .flatMap(({ src }) => URL.parse(src, url)?.href ?? [])
      .filter((address) => address.length <= addressCharsMax),
    previewTags: metas.map(({ name }) => name).filter((name) => /^(?:og|twitter):/.test(name)),
    ...saidOnly(facts),
  }
}

function reasonToLeaveAlone(
  { refresh, robots }: PageFields,
  markup: string,
): 'redirect' | 'noindex' | undefined {
  if (refresh !== null || scriptRedirect.test(markup.slice(0, prologCharsMax))) return 'redirect'
  return isNoindex(robots.meta) ? 'noindex' : undefined
}

/** Next writes a redirect as the page of an error, which a script reads. */
const scriptRedirect = /<html id="__next_error__"/

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
