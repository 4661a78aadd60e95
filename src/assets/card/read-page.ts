import { FetchFailure } from '../../web/fetch-failure.ts'
import { keptValidators, type PageHead } from '../../web/fetched-page.ts'
import { heightPxMin, widthPxMin } from '../og/brand/read-upload.ts'
import { type FetchParsedOptions, fetchParsed } from '../preview/fetch-preview.ts'
import { dimension, isContent } from '../preview/fields/media.ts'
import type { ParsedPage } from '../preview/page-parser.ts'
import type { PageOrigin } from '../preview/rule.ts'
import { letters } from '../preview/site-name.ts'
import { createUrlResolver } from '../preview/url-resolver.ts'
import { findWall } from '../sitemap/find-wall.ts'
import { cardFactsOf } from './card-facts.ts'
import titles from './error-titles.json' with { type: 'json' }
import { statedFacts } from './stated-facts.ts'

/** Reads a page by the rules of previews; undefined if it has not changed. FetchFailure also for a login or an error page. */
export async function readCardPage(url: string, options: FetchParsedOptions) {
  const { page, parsed: read } = await fetchParsed(url, options)
  if (page.status === 304) return undefined
  checkShown(new URL(url), page, read)
  const { href, pathname } = page.url
  const { canonical } = read.fields
  const pictures = cardPictures(read, href, options.allowsAddress)
  const facts = cardFactsOf(statedFacts(read, pathname === '/'), href, canonical, pictures)
  return { facts, ...keptValidators(page) }
}

function checkShown(
  requested: URL,
  page: PageHead,
  read: ParsedPage | undefined,
): asserts read is ParsedPage {
  const wall = findWall(requested, page, read)
  if (wall === 'login_required' || wall === 'target_challenge') throw new FetchFailure(wall)
  if (read === undefined) throw new FetchFailure('not_html')
  // An application says in its head what its scripts will show.
  if (wall !== undefined && read.fields.title === null) throw new FetchFailure(wall)
  if (isErrorPage(read)) throw new FetchFailure('error_page')
}

/** True for a page that came with a good status, but says that there was an error, or that nobody may see it. */
function isErrorPage({ fields, outline }: ParsedPage): boolean {
  const { title } = fields
  if (title === null || outline.textChars > charsMax) return false
  return [title, ...title.split(besideSite)].some((part) => isErrorTitle(part))
}

/** Stands between a title and the name of its site. A colon does not: what follows it goes on with the title. */
const besideSite = /\s[-–—·•|]\s|\|/

/** An article on errors is longer. */
const charsMax = 1_500

function isErrorTitle(text: string): boolean {
  const key = letters(text.replace(statusCode, ''))
  return errorTitles.has(key) || (key === '' && /\d/.test(text))
}

/** `404`, `Error 404:`, `HTTP 503 -` */
const statusCode = /\b(?:(?:http|status)\s*)?(?:error\s*|fehler\s*|erreur\s*)?(?:code\s*)?[45]\d\d\b/gi

const errorTitles: ReadonlySet<string> = new Set(titles.map(letters))

/** The pictures that a page names for previews, else the large ones of its article in order, without cards drawn here. */
function cardPictures(
  { fields, metadata }: Pick<ParsedPage, 'fields' | 'metadata'>,
  url: string,
  allowsAddress: PageOrigin['allowsAddress'],
): readonly string[] {
  const named = fields.images.find(({ source, url: address }) => source === 'og:image' && !isOurCard(address))
  if (named !== undefined) return [named.secure_url ?? named.url]
  const resolve = createUrlResolver(url, metadata.base, allowsAddress)
  const inText = metadata.images.filter((image) => {
    const [width, height] = [dimension(image.width), dimension(image.height)]
    const isLarge = (width ?? widthPxMin) >= widthPxMin && (height ?? heightPxMin) >= heightPxMin
    return isLarge && image.part !== 'margin' && isContent(image, width, height)
  })
  return inText
    .flatMap(({ src }) => resolve(src) ?? [])
    .filter((address, index, all) => !isOurCard(address) && all.indexOf(address) === index)
}

function isOurCard(address: string): boolean {
  return ourCard.test(new URL(address).pathname)
}

const ourCard =
  /\/api\/(?:og|card)(?:\.(?:png|jpg|webp))?$|\/i\/(?:og|card)\/mk_[^/]+\/|\/og\/[\da-f]{32}\.(?:png|jpg|webp)$/
