import { FetchFailure } from '../../web/fetch-failure.ts'
import {
  type FetchedPage,
  keptValidators,
  type PageHead,
  type PageValidators,
} from '../../web/fetched-page.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isHtml } from '../preview/file-preview.ts'
import { createPageParser, type PageParser, type ParsedPage } from '../preview/page-parser.ts'
import type { PageOrigin } from '../preview/rule.ts'
import { findWall } from '../sitemap/find-wall.ts'
import type { CardFacts } from './card-facts.ts'
import { cardFactsOf } from './card-facts-of.ts'
import { cardPictures } from './card-pictures.ts'
import { isErrorPage } from './error-page.ts'
import { statedFacts } from './stated-facts.ts'

export interface ReadCardPage extends PageValidators {
  readonly facts: CardFacts
}

interface ReadCardPageOptions extends Pick<PageOrigin, 'allowsAddress'> {
  readonly fetcher: WebFetcher
  readonly nowMs: number
  /** Validators of what was read before. */
  readonly validators?: PageValidators | undefined
}

/**
 * Reads what a page's card shows, by the rules of previews; undefined if the page has not changed. Rejects with
 * FetchFailure, also where a login, a challenge or an error came in place of the page.
 */
export async function readCardPage(
  url: string,
  { fetcher, nowMs, validators, allowsAddress }: ReadCardPageOptions,
): Promise<ReadCardPage | undefined> {
  let body: PageParser | undefined
  const pages = new Map<string, ParsedPage | undefined>()
  const page = await fetcher.fetchPage(url, {
    ...(validators !== undefined && { validators }),
    sink(head: PageHead) {
      body = isHtml(head.headers['content-type'] ?? '')
        ? createPageParser({
            url: head.url.href,
            headers: head.headers,
            nowMs,
            readsOutline: true,
            ...(allowsAddress && { allowsAddress }),
          })
        : undefined
      return body
    },
    async onward({ url: { href }, status }: FetchedPage) {
      const read = status === 304 ? undefined : await body?.finish()
      pages.set(href, read)
      return read?.move
    },
  })
  if (page.status === 304) return undefined
  const read = pages.get(page.url.href)
  checkShown(new URL(url), page, read)
  return { facts: factsOf(page, read, allowsAddress), ...keptValidators(page) }
}

/** Throws unless the answer is the page that was asked for. */
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

function factsOf({ url }: PageHead, read: ParsedPage, allowsAddress: PageOrigin['allowsAddress']): CardFacts {
  return cardFactsOf({
    stated: statedFacts(read, url.pathname === '/'),
    finalUrl: url.href,
    canonical: read.fields.canonical,
    pictures: cardPictures(read, url.href, allowsAddress),
  })
}
