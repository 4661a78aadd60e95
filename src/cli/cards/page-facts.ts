import { nothingStated, type StatedFacts, statedFacts, wordStart } from '../../assets/card/stated-facts.ts'
import { languageTag } from '../../assets/kit/formats.ts'
import { createPageParser, type ParsedPage } from '../../assets/preview/page-parser.ts'
import { saidOnly } from '../../lib/json.ts'
import defaultLimits from '../../web/fetch-limits.json' with { type: 'json' }
import type { OriginalPage } from './page-markup.ts'
import { encodedPath, isFrontPage } from './page-path.ts'

/** Facts of a page that a run keeps, as JSON. They are small, because a site may have a hundred thousand pages. */
export interface PageFacts extends StatedFacts {
  readonly base: string
  readonly leftAlone?: 'redirect' | 'noindex' | 'no markup' | 'frame' | 'fragment'
  readonly canonical?: string
  readonly ogUrl?: string
  readonly previewTags: readonly string[]
  readonly picture?: string
  /** True if that is written without scheme and host. */
  readonly isPictureRelative?: boolean
  readonly otherLanguages?: readonly string[]
  /** The account on Mastodon or the like that the page links to as its author's. */
  readonly creator?: string
  readonly wordLines?: Readonly<Record<string, number>>
  readonly isXml?: boolean
  /** The description is the text of a margin, because the page has no other. */
  readonly isMarginal?: boolean
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
    return { base, leftAlone: 'no markup', ...nothingStated, previewTags: [], pictures: [] }
  const url = base + encodedPath(file)
  const parser = createPageParser({ url, headers: {}, contentType: 'text/html', cpuMsMax: 3_000 })
  await parser.write(page.bytesOf(page.text).subarray(0, defaultLimits.bodyBytes))
  const parsed = await parser.finish()
  const picture = metas.find(({ name }) => pictureNames.has(name))?.content
  const ogUrl = metas.find(({ name }) => name === 'og:url')?.content
  const facts = {
    leftAlone: reasonToLeaveAlone(parsed, page.text, file),
    canonical: head.canonical,
    ogUrl,
    picture: picture === undefined ? undefined : (URL.parse(picture, url)?.href ?? picture),
    isPictureRelative: picture === undefined || /^https?:/i.test(picture) ? undefined : true,
    isXml: isXml(page.text) || undefined,
    isMarginal: parsed.fields.description === parsed.metadata.paragraphs.margin || undefined,
    wordLines: linesOf(head.metas, page.text),
    otherLanguages: languagesOf(parsed.fields),
    creator: creatorOf(parsed.metadata),
  }
  const stated = statedFacts(parsed, isFrontPage(file))
  const showsCode = stated.about.fits.includes('code') || stated.words['template'] === 'code'
  const { code: _, language: _l, ...about } = stated.about
  return {
    base,
    ...stated,
    about: showsCode ? stated.about : about,
    pictures: parsed.metadata.images
      .filter(({ part }) => part !== 'margin')
      .slice(0, picturesMax)
      .flatMap(({ src }) => URL.parse(src, url)?.href ?? [])
      .filter((address) => address.length <= addressCharsMax),
    previewTags: metas.map(({ name }) => name).filter((name) => /^(?:og|twitter|fediverse):/.test(name)),
    ...saidOnly(facts),
  }
}

function linesOf(metas: OriginalPage['head']['metas'], markup: string): PageFacts['wordLines'] {
  const own = metas.filter(({ name }) => name.startsWith(wordStart))
  const lines = own.map(({ name, start }) => [
    name.slice(wordStart.length),
    markup.slice(0, start).split(/\r\n?|\n/).length,
  ])
  return own.length === 0 ? undefined : Object.fromEntries(lines)
}

function languagesOf({ alternates, lang }: ParsedPage['fields']): readonly string[] | undefined {
  const own = languageTag(lang ?? '')
  const tags = alternates.flatMap((alternate) => languageTag(alternate.lang) ?? [])
  const others = [...new Set(tags)].filter((tag) => tag !== own).slice(0, languagesMax)
  return others.length === 0 ? undefined : others
}

function creatorOf({ links }: ParsedPage['metadata']): string | undefined {
  const accounts = links.flatMap(({ rel, href }) => {
    const [, host, name] = (rel.includes('me') && accountUrl.exec(href)) || []
    return host === undefined ? [] : [`@${name}@${host}`]
  })
  return new Set(accounts).size === 1 ? accounts[0] : undefined
}

const accountUrl = /^https:\/\/([a-z\d.-]+\.[a-z]{2,})\/(?:@|users\/)(\w{1,30})\/?$/i
const languagesMax = 20

function reasonToLeaveAlone(
  { fields: { refresh, robots, title, description }, metadata: { headings } }: ParsedPage,
  markup: string,
  file: string,
): PageFacts['leftAlone'] {
  if (refresh !== null || scriptRedirect.test(markup.slice(0, prologCharsMax))) return 'redirect'
  if (/(?:^|[\s,])(?:noindex|none)(?:[\s,]|$)/i.test(robots.meta ?? '')) return 'noindex'
  if (/-frame\.html?$/i.test(file) || frameTarget.test(markup)) return 'frame'
  const isFragment = title === null && description === null && headings.length === 0
  return isFragment && !/<p[\s>]/i.test(markup) ? 'fragment' : undefined
}

/** Javadoc's menus, which its front page has in frames. */
const frameTarget = /\starget\s*=\s*["']?(?:class|package|packageList)Frame\b/i

/** Next writes a redirect as the page of an error, which a script reads. */
const scriptRedirect = /<html id="__next_error__"/

const picturesMax = 8
const addressCharsMax = 500
const pictureNames = new Set(['og:image', 'og:image:url', 'og:image:secure_url'])

export function withoutPicture({ picture: _, ...facts }: PageFacts): PageFacts {
  return { ...facts, previewTags: facts.previewTags.filter((name) => !isPictureTag(name)) }
}

export function isPictureTag(name: string): boolean {
  return /^(?:og:image|twitter:image)(?::|$)|^twitter:card$/.test(name)
}

function isXml(markup: string): boolean {
  const start = markup.slice(0, prologCharsMax)
  return /^\W{0,8}<\?xml\s/.test(start) || /<!doctype [^>]*xhtml/i.test(start)
}

const prologCharsMax = 1_024
