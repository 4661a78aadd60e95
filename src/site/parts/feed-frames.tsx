/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import type { PictureSize } from '../sample-pictures.ts'
import { radioTab } from './elements.tsx'

export interface SharedPage {
  readonly image: PictureSize & { readonly url: string; readonly alt: string }
  readonly title: string
  readonly description: string
  readonly host: string
}

export interface FeedFrames {
  /** Tells these tabs from others in the page: a name that only this group of radio buttons has. */
  readonly group: string
  readonly page: SharedPage
  readonly first?: { readonly label: string; readonly contents: Child }
  readonly imageLoading?: 'lazy'
}

/** A network: its frame has the names of its rules in the style sheet. The names are text and the shapes are ours. */
interface Network {
  readonly id: string
  readonly label: string
  readonly rules: string
  readonly draw: (page: SharedPage, image: Markup) => Child
}

const networks: readonly Network[] = [
  { id: 'x', label: 'X', rules: 'is-x', draw: post },
  { id: 'slack', label: 'Slack', rules: 'is-slack is-embed', draw: embed('9:41') },
  { id: 'linkedin', label: 'LinkedIn', rules: 'is-linkedin', draw: linkedinPost },
  { id: 'discord', label: 'Discord', rules: 'is-discord is-embed', draw: embed('Today at 09:41') },
  { id: 'whatsapp', label: 'WhatsApp', rules: 'is-whatsapp', draw: bubble },
]

/**
 * A card as networks show it, one tab for each. The tabs are radio buttons, so they work without JavaScript and with the
 * arrow keys. All frames share one place, so that nothing moves when the tab changes.
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
  const tabs = [...(first ? [{ id: 'first', label: first.label }] : []), ...networks]
  return (
    <div class="feeds">
      <fieldset class="tabs">
        <legend class="vh">As seen in</legend>
        {tabs.map(({ id, label }, index) => radioTab(group, id, label, index === 0))}
      </fieldset>
      <div class="feed-views">
        {first && <div class="feed is-first">{first.contents}</div>}
        {networks.map(({ rules, draw }) => (
          <div class={`feed ${rules}`}>{draw(page, image)}</div>
        ))}
      </div>
    </div>
  )
}

const person = 'Mira Holm'
const remark = <p>This one took me a while.</p>

function face(): Markup {
  return <span class="feed-face" aria-hidden="true" />
}

function byline(time: string): Markup {
  return (
    <p>
      <b>{person}</b> <small class="nowrap">{time}</small>
    </p>
  )
}

function linkText(host: string): Markup {
  return <span class="feed-link">https://{host}/…</span>
}

function picture(image: Markup, over?: Child): Markup {
  return (
    <div class="feed-picture">
      {image}
      {over}
    </div>
  )
}

function textsOf({ title, description, host }: SharedPage, hasDescription = true): Child {
  return [
    <small>{host}</small>,
    <b class="feed-title" dir="auto">
      {title}
    </b>,
    hasDescription && description && (
      <span class="feed-description" dir="auto">
        {description}
      </span>
    ),
  ]
}

function post({ title, host }: SharedPage, image: Markup): Child {
  const over = (
    <span class="feed-over" dir="auto">
      {title}
    </span>
  )
  return [
    face(),
    <div>
      {byline('@miraholm · 2h')}
      {remark}
      {picture(image, over)}
      <small>From {host}</small>
    </div>,
  ]
}

function embed(time: string): Network['draw'] {
  return (page, image) => [
    face(),
    <div>
      {byline(time)}
      <p>{linkText(page.host)}</p>
      <div class="feed-quote">{[textsOf(page), picture(image)]}</div>
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
    remark,
    picture(image),
    <div class="feed-quote">{textsOf(page, false)}</div>,
  ]
}

function bubble(page: SharedPage, image: Markup): Child {
  return (
    <div class="feed-bubble">
      {picture(image)}
      <div class="feed-quote">{textsOf(page)}</div>
      <p>
        {linkText(page.host)} <small class="nowrap">09:41</small>
      </p>
    </div>
  )
}
