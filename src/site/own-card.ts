import { decodeXML } from 'entities'
import { normalizeDomain } from '../assets/sitemap/normalize-domain.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import { bodyText } from '../lib/body.ts'
import { cleanText } from '../text/clean-text.ts'
import type { SharedPage } from './parts/feed-frames.tsx'
import { picturePath, pictureSize } from './pictures.ts'
import { isPageLoad, type ResultDeps } from './playground/result.tsx'
import { heroCard } from './sample-pictures.ts'

export interface OwnCard {
  /** The visitor's text; empty when there is none. */
  readonly text: string
  readonly page: SharedPage
  /** Parameters that show the card in the playground. */
  readonly query: URLSearchParams
  /** The mistake in the text, as a sentence. The card is then the sample. */
  readonly problem?: string
}

export const ownCardParameter = 'show'

/** Stands for the visitor's site while they have named only a title. */
const unnamedHost = 'your-site.example'

const { theme = '', accent = '', title = '', subtitle = '' } = heroCard.query

export const sampleCard: OwnCard = {
  text: '',
  page: {
    image: { url: picturePath(heroCard), widthPx: 1200, heightPx: 630, alt: heroCard.alt },
    title,
    description: subtitle,
    host: 'mira.blog',
  },
  query: new URLSearchParams({ kind: heroCard.assetId, ...heroCard.query }),
}

export async function ownCard(
  deps: ResultDeps,
  sent: URLSearchParams,
  context: RequestContext,
): Promise<OwnCard> {
  const text = cleanText(sent.get(ownCardParameter) ?? '').trim()
  if (text === '') return sampleCard
  const page = pageAddress(text)
  if (page !== undefined && !isPageLoad(context)) return { ...sampleCard, text }
  try {
    return page === undefined ? await ofTitle(deps, text, context) : await ofPage(deps, text, page, context)
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    const [mistake] = problem.errors
    return { ...sampleCard, text, problem: mistake ? `The headline ${mistake.message}.` : problem.message }
  }
}

async function ofTitle(deps: ResultDeps, title: string, context: RequestContext): Promise<OwnCard> {
  const query = { title, url: unnamedHost, theme, accent, overflow: 'ellipsis' }
  const { image } = await drawn(deps, 'og', query, context)
  return {
    text: title,
    page: { image: { ...image, alt: title }, title, description: '', host: unnamedHost },
    query: new URLSearchParams({ kind: 'og', ...query }),
  }
}

async function ofPage(
  deps: ResultDeps,
  text: string,
  page: string,
  context: RequestContext,
): Promise<OwnCard> {
  const { image, svg } = await drawn(deps, 'card', { page, fallback: 'error' }, context)
  const title = decodeXML(/<title[^>]*>([^<]*)</.exec(svg)?.[1] ?? '')
  return {
    text,
    page: { image: { ...image, alt: title }, title, description: '', host: new URL(page).host },
    query: new URLSearchParams({ kind: 'card', page }),
  }
}

async function drawn(
  { visitors, signedUrls }: ResultDeps,
  assetId: string,
  query: Readonly<Record<string, string>>,
  context: RequestContext,
) {
  const rawQuery = String(new URLSearchParams(query))
  const { rendered } = await visitors.draw(assetId, rawQuery, context)
  const { widthPx, heightPx } = pictureSize(rendered) ?? { widthPx: 1200, heightPx: 630 }
  const image = { url: signedUrls.sign(assetId, rawQuery), widthPx, heightPx }
  return { image, svg: bodyText(rendered.body.slice(0, 4096)) }
}

/** The page that a text names: with a scheme, or as people type the address of a site. */
function pageAddress(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const hasScheme = /^https?:\/\//i.test(text)
  if (!hasScheme && 'error' in normalizeDomain(text)) return undefined
  const address = hasScheme ? text : `https://${text}`
  return URL.canParse(address) ? address : undefined
}
