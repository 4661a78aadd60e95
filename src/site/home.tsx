/** @jsxImportSource #jsx */
import { decodeXML } from 'entities'
import type { Asset } from '../assets/kit/asset.ts'
import { normalizeDomain } from '../assets/sitemap/normalize-domain.ts'
import { shareCardOf } from '../client/share-card-of.ts'
import { type Config, takesPayments } from '../config.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import { bodyText } from '../lib/body.ts'
import { formatCount, formatMicros } from '../lib/human-format.ts'
import { type Child, escapeHtml, type Markup } from '../lib/jsx/markup.ts'
import { fill } from '../lib/texts.ts'
import { cleanText } from '../text/clean-text.ts'
import pageLinks from './data/links.json' with { type: 'json' }
import { headOf, layout } from './layout.tsx'
import {
  breakable,
  copiedCode,
  folded,
  headedRow,
  image,
  linkList,
  referenceTable,
  titledSection,
} from './parts/elements.tsx'
import { feedFrames, type SharedPage } from './parts/feed-frames.tsx'
import { picturePath, pictureSize } from './pictures.ts'
import { type PlaygroundInput, playground } from './playground/playground.tsx'
import { isPageLoad, type ResultDeps } from './playground/result.tsx'
import { cheapestMicros } from './reference/docs.tsx'
import { brandRows, heroCard, type Picture, wallAvatars, wallCards } from './sample-pictures.ts'

export interface HomeInput extends PlaygroundInput {
  readonly own: OwnCard
  readonly badges: readonly Picture[]
  readonly assets: readonly Asset[]
  readonly config: Config
}

/** `/`: the visitor's card, three ways to one, playground, kinds of access, examples, endpoints. */
export function homePage(input: HomeInput): Markup {
  const { origin, config, own } = input
  const access = takesPayments(config) ? 'signed keys, or pay per call' : 'then sign with a key'
  const head = headOf('home', origin)
  const description = `${head.description} Free to try, ${access}.`
  return layout({ ...head, description }, [
    homeHero(own),
    homePaths(origin),
    <section class="wide">
      <h2>Playground</h2>
      <p>Try every asset with your own text, then copy the URL.</p>
      {playground(input)}
    </section>,
    accessSection(input),
    gallery(input),
    endpoints(input),
  ])
}

function accessSection({ config, assets }: HomeInput): Markup {
  const isPaid = takesPayments(config)
  const values = {
    demoCalls: formatCount(config.DEMO_DAILY_QUOTA),
    keyCalls: formatCount(config.KEY_DAILY_QUOTA),
    cheapest: formatMicros(cheapestMicros(assets)),
  }
  const ways = pageLinks.ways.slice(0, isPaid ? 3 : 2).map((way) => way.map((text) => fill(text, values)))
  const cards = ways.map(([note, title, text, code = '']) => (
    <div class="card path">
      <b>{note}</b>
      <h3>{title}</h3>
      <p>{text}</p>
      <code>{breakable(code)}</code>
    </div>
  ))
  const payment = isPaid ? ', or pay per call without an account' : ''
  return titledSection(
    'ways',
    'Access',
    `Start with the demo, sign your own requests when you ship${payment}.`,
    folded('Show the kinds of access', <div class="paths">{cards}</div>),
  )
}

function gallery({ badges }: HomeInput): Markup {
  return titledSection(
    'gallery',
    'Made from query strings',
    'Text is measured, wrapped and outlined on the server, in every script. Every image has a title for screen readers.',
    [
      <div class="wall">{wallCards.map(image)}</div>,
      <div class="row">{badges.map(image)}</div>,
      <div class="row">{wallAvatars.map(image)}</div>,
      <p class="onward">{linkList([['/examples', 'Cards in every size and theme, light and dark']])}</p>,
      <h3>Or with a brand of your own</h3>,
      <p>
        Your logo, colours, fonts and picture on every card: the operator sets them up once, and{' '}
        <code>brand=slug</code> in the URL names them. These four are invented.
      </p>,
      <div class="wall is-brands">{brandRows.map(([card]) => card && image(card))}</div>,
    ],
  )
}

function endpoints({ assets, config }: HomeInput): Markup {
  const isPaid = takesPayments(config)
  const columns = ['Request', 'What it answers', 'Parameters', ...(isPaid ? [{ right: 'Price' }] : [])]
  const rows = assets.map((asset) => {
    const request = <code>GET {asset.path}</code>
    return headedRow(<a href={`/docs#${asset.id}`}>{request}</a>, [
      <td>{asset.summary}</td>,
      <td class="muted small">{Object.keys(asset.query.properties).slice(0, 4).join(', ')}</td>,
      isPaid && <td class="right nowrap">{priceOf(asset)}</td>,
    ])
  })
  return titledSection(
    'endpoints',
    'Endpoints',
    'Plain GET requests. The same path always returns the same bytes.',
    folded('Show the endpoints', referenceTable('Endpoints', columns, rows)),
  )
}

function priceOf({ priceMicros }: Asset): Child {
  return priceMicros === undefined ? <span class="pill ok">free</span> : `${formatMicros(priceMicros)} USDC`
}

function homeHero(own: OwnCard): Markup {
  return (
    <div class="intro">
      <div class="hero">
        <h1>
          Every page gets a card. <br />
          You write a URL.
        </h1>
        <p>
          Share cards, badges, avatars, link previews and site files for static sites. One image tag, no build
          step, no browser farm.
        </p>
        {ownForm(own)}
      </div>
      <div class="shown">
        <div class="card">{feedFrames({ group: 'feed', page: own.page })}</div>
        <p class="small muted">
          {own.text === '' || own.problem ? 'A sample card.' : 'Your card.'}{' '}
          <a href={`/?${own.query}#play`}>Change its look in the playground</a>
        </p>
      </div>
    </div>
  )
}

function ownForm({ text, problem }: OwnCard): Child {
  return (
    <form class="own" action="/" method="get">
      <label for="own">Try it: type a headline or your site’s URL</label>
      <div>
        <input
          id="own"
          name={ownCardParameter}
          value={text}
          maxlength="300"
          placeholder="example.com"
          required
          dir="auto"
          autocomplete="url"
          spellcheck="false"
          aria-invalid={problem && 'true'}
          aria-describedby={problem && 'own-problem'}
        />
        <button class="btn primary" type="submit">
          Show my card
        </button>
      </div>
      {problem && (
        <p class="problem" id="own-problem">
          {problem}
        </p>
      )}
    </form>
  )
}

function homePaths(origin: string): Markup {
  const card = `${origin}/api/og?title=Hello&author=Ada+Lovelace&demo=1`
  const image = escapeHtml(String(shareCardOf(new URL(card))?.url ?? card))
  const cards = pageLinks.paths.map(({ title, text, code, links }) => (
    <div class="card path">
      <h3>{title}</h3>
      <p>{text}</p>
      {copiedCode(title, fill(code, { origin, image }))}
      <p class="small">{linkList(links).map((link, index) => [index > 0 && ' · ', link])}</p>
    </div>
  ))
  const lead = 'For a static build, a template or your own code.'
  return titledSection('paths', 'Three ways in', lead, <div class="paths">{cards}</div>)
}

interface OwnCard {
  readonly text: string
  readonly page: SharedPage
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

/** The card of the page that the visitor names, or of their text as a title. */
export async function ownCard(
  { visitors, signedUrls }: ResultDeps,
  sent: URLSearchParams,
  context: RequestContext,
): Promise<OwnCard> {
  const text = cleanText(sent.get(ownCardParameter) ?? '').trim()
  if (text === '') return sampleCard
  const page = pageAddress(text)
  if (page !== undefined && !isPageLoad(context)) return { ...sampleCard, text }
  const assetId = page === undefined ? 'og' : 'card'
  const shown =
    page === undefined ? { title: text, url: unnamedHost, theme, accent, overflow: 'ellipsis' } : { page }
  const rawQuery = String(new URLSearchParams({ ...shown, ...(page !== undefined && { fallback: 'error' }) }))
  try {
    const { rendered } = await visitors.draw(assetId, rawQuery, context)
    const size = pictureSize(rendered) ?? { widthPx: 1200, heightPx: 630 }
    const [, svgTitle = ''] = /<title[^>]*>([^<]*)</.exec(bodyText(rendered.body.slice(0, 4096))) ?? []
    const title = page === undefined ? text : decodeXML(svgTitle)
    const host = page === undefined ? unnamedHost : new URL(page).host
    const image = { url: signedUrls.sign(assetId, rawQuery), ...size, alt: title }
    const query = new URLSearchParams({ kind: assetId, ...shown })
    return { text, page: { image, title, description: '', host }, query }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    const [mistake] = problem.errors
    return { ...sampleCard, text, problem: mistake ? `The headline ${mistake.message}.` : problem.message }
  }
}

/** The page that a text names: with a scheme, or as people type the address of a site. */
function pageAddress(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const hasScheme = /^https?:\/\//i.test(text)
  if (!hasScheme && 'error' in normalizeDomain(text)) return undefined
  const address = hasScheme ? text : `https://${text}`
  return URL.canParse(address) ? address : undefined
}
