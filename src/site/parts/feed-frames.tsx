/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'

/** A shared page with its card, as a network reads it from the tags of the page. */
export interface SharedPage {
  readonly image: {
    readonly url: string
    readonly widthPx: number
    readonly heightPx: number
    readonly alt: string
  }
  readonly title: string
  readonly description: string
  /** The host name that the networks show. */
  readonly host: string
}

export interface FeedFrames {
  /** Tells these tabs from others in the page: a name that only this group of radio buttons has. */
  readonly group: string
  readonly page: SharedPage
  /** A first tab with contents of its own, such as the card alone. */
  readonly first?: { readonly label: string; readonly contents: Child }
  readonly imageLoading?: 'lazy'
}

type Feed = readonly [id: string, label: string, draw: (page: SharedPage, image: Markup) => Child]

/** The networks, each with its drawing, in the order of the tabs. The names are text and the shapes are ours. */
const feeds: readonly Feed[] = [
  ['x', 'X', xPost],
  ['slack', 'Slack', slackMessage],
  ['linkedin', 'LinkedIn', linkedinPost],
  ['discord', 'Discord', discordMessage],
  ['whatsapp', 'WhatsApp', whatsappMessage],
]

/**
 * A card as networks show it, one tab for each. The tabs are radio buttons, so they work without JavaScript and with the
 * arrow keys. All frames share one place, so that nothing moves when the tab changes. `form="none"` keeps the buttons out
 * of any form around them.
 */
export function feedFrames({ group, page, first, imageLoading }: FeedFrames): Markup {
  const { url, widthPx, heightPx, alt } = page.image
  const image = (
    <img
      src={url}
      width={widthPx}
      height={heightPx}
      alt={alt}
      loading={imageLoading}
      fetchpriority={imageLoading === undefined && 'high'}
    />
  )
  const tabs = [...(first ? [['first', first.label] as const] : []), ...feeds]
  return (
    <div class="feeds">
      <fieldset class="tabs">
        <legend class="vh">As seen in</legend>
        {tabs.map(([id, label], index) => (
          <label>
            <input type="radio" name={group} value={id} checked={index === 0} form="none" />
            {label}
          </label>
        ))}
      </fieldset>
      <div class="feed-views">
        {first && <div class="feed is-first">{first.contents}</div>}
        {feeds.map(([id, , draw]) => (
          <div class={`feed is-${id}`}>{draw(page, image)}</div>
        ))}
      </div>
    </div>
  )
}

const person = 'Mira Holm'

function face(): Markup {
  return <span class="feed-face" aria-hidden="true" />
}

function linkText(host: string): Markup {
  return <span class="feed-link">https://{host}/…</span>
}

function title({ title }: SharedPage): Child {
  return (
    <b class="feed-title" dir="auto">
      {title}
    </b>
  )
}

function description({ description }: SharedPage): Child {
  return (
    description && (
      <span class="feed-description" dir="auto">
        {description}
      </span>
    )
  )
}

function xPost({ title, host }: SharedPage, image: Markup): Child {
  return [
    face(),
    <div>
      <p>
        <b>{person}</b> <small class="nowrap">@miraholm · 2h</small>
      </p>
      <p>This one took me a while.</p>
      <div class="feed-picture">
        {image}
        <span class="feed-over" dir="auto">
          {title}
        </span>
      </div>
      <small>From {host}</small>
    </div>,
  ]
}

function slackMessage(page: SharedPage, image: Markup): Child {
  return [
    face(),
    <div>
      <p>
        <b>{person}</b> <small class="nowrap">9:41</small>
      </p>
      <p>{linkText(page.host)}</p>
      <div class="feed-quote">
        <b class="feed-site">{page.host}</b>
        {title(page)}
        {description(page)}
        <div class="feed-picture">{image}</div>
      </div>
    </div>,
  ]
}

function linkedinPost(page: SharedPage, image: Markup): Child {
  return [
    <div class="feed-author">
      {face()}
      <p>
        <b>{person}</b>
        <small>Writes about building for the web</small>
        <small>2h</small>
      </p>
    </div>,
    <p>This one took me a while.</p>,
    <div class="feed-picture">{image}</div>,
    <div class="feed-strip">
      {title(page)}
      <small>{page.host}</small>
    </div>,
  ]
}

function discordMessage(page: SharedPage, image: Markup): Child {
  return [
    face(),
    <div>
      <p>
        <b>{person}</b> <small class="nowrap">Today at 09:41</small>
      </p>
      <p>{linkText(page.host)}</p>
      <div class="feed-quote">
        <small>{page.host}</small>
        {title(page)}
        {description(page)}
        <div class="feed-picture">{image}</div>
      </div>
    </div>,
  ]
}

function whatsappMessage(page: SharedPage, image: Markup): Child {
  return (
    <div class="feed-bubble">
      <div class="feed-quote">
        <div class="feed-picture">{image}</div>
        {title(page)}
        {description(page)}
        <small>{page.host}</small>
      </div>
      <p>
        {linkText(page.host)} <small class="nowrap">09:41</small>
      </p>
    </div>
  )
}
