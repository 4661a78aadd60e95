/** @jsxImportSource #jsx */
import type { Asset } from '../assets/kit/asset.ts'
import { type Config, takesPayments } from '../config.ts'
import { formatCount } from '../lib/human-format.ts'
import type { Child, Markup } from '../lib/jsx/markup.ts'
import { formatMicros } from '../lib/money.ts'
import { type BrandCardPicture, brandRows } from './example-brands.ts'
import { homeHero } from './home-hero.tsx'
import { homePaths } from './home-paths.tsx'
import { layout } from './layout.tsx'
import type { OwnCard } from './own-card.ts'
import { referenceTable } from './parts/table.tsx'
import { picturePath } from './pictures.ts'
import { type PlaygroundInput, playground } from './playground/playground.tsx'
import { cheapestMicros } from './reference/quick-start.tsx'
import { type Picture, type PictureSize, wallAvatars, wallCards } from './sample-pictures.ts'

export interface HomeInput extends PlaygroundInput {
  readonly own: OwnCard
  /** The badges of the gallery, whose width depends on their text. */
  readonly badges: readonly (Picture & { readonly size?: PictureSize | undefined })[]
  readonly assets: readonly Asset[]
  readonly config: Config
}

/** `/`: the visitor's card, three ways to one, playground, kinds of access, examples, endpoints. */
export function homePage(input: HomeInput): Markup {
  const { origin, config, own } = input
  const access = takesPayments(config) ? 'signed keys, or pay per call' : 'then sign with a key'
  const head = {
    title: 'Mintmark: cards, badges, avatars and site files from a URL',
    description: `Share cards, badges, avatars, link previews and site files for static sites. Free to try, ${access}.`,
    origin,
    path: '/',
    shareName: 'home',
  }
  return layout(head, [
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
  return (
    <section id="ways">
      <h2>Access</h2>
      <p>
        Start with the demo, sign your own requests when you ship
        {isPaid && ', or pay per call without an account'}.
      </p>
      <div class="paths">
        <div class="card path">
          <b>Free, shared</b>
          <h3>Demo</h3>
          <p>Add one parameter. {formatCount(config.DEMO_DAILY_QUOTA)} calls a day shared by everyone.</p>
          <code>/api/og?title=Hello&amp;demo=1</code>
        </div>
        <div class="card path">
          <b>{formatCount(config.KEY_DAILY_QUOTA)} calls a day per key</b>
          <h3>Signed key</h3>
          <p>Sign the path with your secret. The secret never leaves your build.</p>
          <code>&amp;key=mk_…&amp;t=1795219371&amp;sig=9f2c…</code>
        </div>
        {isPaid && (
          <div class="card path">
            <b>From {formatMicros(cheapestMicros(assets))} USDC</b>
            <h3>Pay per call</h3>
            <p>No signup. Get a 402, send the amount, retry with the transaction hash.</p>
            <code>X-Payment: 0x8f3c…a91e</code>
          </div>
        )}
      </div>
    </section>
  )
}

function gallery({ badges }: HomeInput): Markup {
  return (
    <section id="gallery">
      <h2>Made from query strings</h2>
      <p>
        Text is measured, wrapped and outlined on the server, in every script. Every image has a title for
        screen readers.
      </p>
      <div class="wall">{wallCards.map((card) => figure(card, 1200, 630))}</div>
      <div class="row">
        {badges.map((badge) => (
          <img
            src={picturePath(badge)}
            width={badge.size?.widthPx}
            height={badge.size?.heightPx}
            alt={badge.alt}
            loading="lazy"
          />
        ))}
      </div>
      <div class="row">{wallAvatars.map((avatar) => figure(avatar, 48, 48))}</div>
      <p class="onward">
        <a href="/examples">Cards in every size and theme, light and dark</a>
      </p>
      <h3>Or with a brand of your own</h3>
      <p>
        Your logo, colours, fonts and picture on every card: the operator sets them up once, and{' '}
        <code>brand=slug</code> in the URL names them. These four are invented.
      </p>
      <div class="wall is-brands">{brandRows.map(([card]) => card && brandFigure(card))}</div>
    </section>
  )
}

function brandFigure(picture: BrandCardPicture): Markup {
  const { widthPx, heightPx } = picture.extent
  return <img src={picturePath(picture)} width={widthPx} height={heightPx} alt={picture.alt} loading="lazy" />
}

function figure(picture: Picture, width: number, height: number): Markup {
  return <img src={picturePath(picture)} width={width} height={height} alt={picture.alt} loading="lazy" />
}

function endpoints({ assets, config }: HomeInput): Markup {
  const isPaid = takesPayments(config)
  return (
    <section id="endpoints">
      <h2>Endpoints</h2>
      <p>Plain GET requests. The same path always returns the same bytes.</p>
      {referenceTable(
        'Endpoints',
        ['Request', 'What it answers', 'Parameters', ...(isPaid ? [{ right: 'Price' }] : [])],
        assets.map((asset) => (
          <tr>
            <th scope="row">
              <a href={`/docs#${asset.id}`}>
                <code>GET {asset.path}</code>
              </a>
            </th>
            <td>{asset.summary}</td>
            <td class="muted small">{Object.keys(asset.query.properties).slice(0, 4).join(', ')}</td>
            {isPaid && <td class="right nowrap">{priceOf(asset)}</td>}
          </tr>
        )),
      )}
    </section>
  )
}

function priceOf({ priceMicros }: Asset): Child {
  return priceMicros === undefined ? <span class="pill ok">free</span> : `${formatMicros(priceMicros)} USDC`
}
