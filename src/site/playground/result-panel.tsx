/** @jsxImportSource #jsx */
import type { Bundle } from '../../assets/sitemap/bundle.ts'
import type { Problem } from '../../errors.ts'
import { formatBytes, formatDuration, formatSpan } from '../../lib/human-format.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { formatOfMediaType } from '../../raster/picture-formats.ts'
import { codeBlock, copyButton, radioTab, textBlock } from '../parts/elements.tsx'
import { feedFrames, type SharedPage } from '../parts/feed-frames.tsx'
import type { PictureSize } from '../sample-pictures.ts'
import { fieldProblems, fieldsOf, type PlaygroundState } from './form.ts'
import type { Result } from './result.tsx'
import { type Snippet, snippets } from './snippets.ts'

export interface ResultPanelInput {
  readonly origin: string
  readonly state: PlaygroundState
  readonly result: Result
}

type Picture = Extract<Result, { readonly type: 'picture' }>

/** The result with its size and timing, and snippets that request it. Its height is fixed, so that the page does not jump. */
export function resultPanel(input: ResultPanelInput): Markup {
  const { result, state } = input
  const { asset } = state.form
  return (
    <div
      class={`stage is-${result.type}`}
      data-path={asset.path}
      data-query={String(state.query)}
      data-stream={result.type === 'started' && result.url}
    >
      <div class="canvas" tabindex="0" role="region" aria-label="Result">
        {canvas(input)}
      </div>
      {summary(input)}
      {(result.type !== 'problem' || result.problem.code !== 'invalid_query') && snippetTabs(lines(input))}
    </div>
  )
}

function canvas({ state, result, origin }: ResultPanelInput): Child {
  switch (result.type) {
    case 'waiting':
      return <p class="muted">Press the button to see the result.</p>
    case 'started':
      return (
        <p class="muted" role="status">
          Looking at the site …
        </p>
      )
    case 'problem':
      return problemNote(result.problem, state)
    case 'picture':
      return state.form.asset.query.properties['theme'] === undefined
        ? picture(result, state)
        : feedFrames({
            group: 'seen',
            page: sharedPage(result, state, origin),
            first: { label: 'Card', contents: picture(result, state) },
            imageLoading: 'lazy',
          })
    default:
      return dataView(result.preview.rendered.contentType, result.text)
  }
}

/** A mistake in a field is told there, once. */
function problemNote(problem: Problem, { form }: PlaygroundState): Child {
  const wrong = fieldsOf(form).filter(({ name }) => name in fieldProblems(problem, form))
  if (wrong.length === 0)
    return (
      <div class="note warn">
        <b>No result</b>
        <span>{problem.message}</span>
      </div>
    )
  return (
    <p class="muted">
      Correct {wrong.length === 1 ? 'this field' : 'these fields'} to see the result:{' '}
      {wrong.map(({ name, label }, index) => [index > 0 && ', ', <a href={`#field-${name}`}>{label}</a>])}
    </p>
  )
}

function picture({ url, size }: Picture, state: PlaygroundState): Markup {
  const { asset } = state.form
  const zoom = zoomOf(size)
  return (
    <img
      class={asset.query.properties['theme'] !== undefined && 'is-card'}
      src={url}
      width={Math.round(size.widthPx * zoom)}
      height={Math.round(size.heightPx * zoom)}
      alt={altOf(state)}
    />
  )
}

/** The picture with texts that networks show beside it. The description of a page that was just read is not known here. */
function sharedPage(shown: Picture, state: PlaygroundState, origin: string): SharedPage {
  const { page, size } = shown
  const { title = '', subtitle = '', url = '', page: address = '' } = state.values
  const host = URL.parse(address)?.host ?? url.split('/')[0]
  const [widthPx, heightPx] = [Math.round(size.widthPx), Math.round(size.heightPx)]
  return {
    image: { url: shown.url, widthPx, heightPx, alt: altOf(state) },
    title: title || page?.title || host || 'Without a title',
    description: subtitle || page?.description || '',
    host: host || new URL(origin).host,
  }
}

function summary({ result, state: { form, query } }: ResultPanelInput): Child {
  if (result.type !== 'picture' && result.type !== 'data') return undefined
  const { rendered, durationMs, isCached, cacheSeconds } = result.preview
  const kind = /^[a-z]+\/(?:x-)?([a-z]+)/.exec(rendered.contentType)?.[1] ?? ''
  return (
    <div class="facts row num">
      {result.type === 'picture' && sizeText(result.size)}
      <span>
        <b>{formatBytes(rendered.body.length)}</b> {kind.toUpperCase()}
      </span>
      {result.sampleOf === undefined ? (
        [
          <span>
            {isCached ? 'from cache in' : 'rendered in'} <b>{formatDuration(durationMs)}</b>
          </span>,
          <span>
            cached for <b>{formatSpan(cacheSeconds * 1000)}</b>
          </span>,
        ]
      ) : (
        <span>
          <b>Sample</b> of {result.sampleOf}: nothing was fetched
        </span>
      )}
      <a class="end" href={`/?${new URLSearchParams([['kind', form.id], ...query])}#play`} data-link>
        Link to this
      </a>
    </div>
  )
}

function sizeText(size: PictureSize): Markup {
  const zoom = zoomOf(size)
  const pixels = `${Math.round(size.widthPx)} × ${Math.round(size.heightPx)}`
  return <span>{[<b>{pixels}</b>, zoom > 1 && `, shown at ${zoom * 100} %`]}</span>
}

/** The part of its size that a picture is shown at: whole in the canvas, and one of a badge's size larger, to be judged. */
function zoomOf({ widthPx, heightPx }: PictureSize): number {
  return heightPx < 40 ? 2 : Math.min(1, 620 / widthPx, 336 / heightPx)
}

function lines({ origin, state, result }: ResultPanelInput): readonly Snippet[] {
  const { asset } = state.form
  const query = new URLSearchParams(state.query)
  if (asset.priceMicros !== undefined) query.append('demo', '1')
  const contentType = 'preview' in result ? result.preview.rendered.contentType : 'application/json'
  const [extension] = formatOfMediaType(contentType)?.extensions ?? []
  return snippets({
    asset,
    origin,
    query: state.query,
    url: `${origin}${asset.path}${query.size === 0 ? '' : `?${query}`}`,
    alt: altOf(state),
    extension: extension ?? (contentType.includes('json') ? 'json' : 'txt'),
    size: result.type === 'picture' ? result.size : undefined,
  })
}

function altOf({ form, values }: PlaygroundState): string {
  const { title, name, label, value, status, metric } = values
  if (form.asset.id === 'badge') return [label, value || status].filter(Boolean).join(': ')
  return title || name || label || metric || form.asset.title
}

/** An answer that is no picture: as what it describes, and as it is. */
function dataView(contentType: string, text: string): Child {
  if (!contentType.includes('json')) return textBlock('Answer', text, 'data')
  const value: JsonObject = JSON.parse(text)
  if (isBundle(value)) return bundleFiles(value)
  return [previewCard(value), textBlock('Answer as JSON', JSON.stringify(value, null, 2), 'data')]
}

function isBundle(value: JsonObject): value is Bundle & JsonObject {
  return 'robots' in value && 'llms' in value
}

/** A link preview as a chat shows it. The picture's URL is text, because our pages load nothing from other sites. */
function previewCard(value: JsonObject): Child {
  if (value['kind'] !== 'preview') return undefined
  const { title, description, site_name: site, final_url: address, image } = value
  return (
    <article class="unfurl box grid">
      <small class="muted">{text(site) ?? URL.parse(text(address) ?? '')?.host ?? ''}</small>
      <b>{text(title) ?? 'Without a title'}</b>
      <p>{text(description)}</p>
      {isJsonObject(image) && <code class="muted">{text(image['url'])}</code>}
    </article>
  )
}

function bundleFiles({ files, robots, sitemap, llms, mode, counts, warnings }: Bundle): Markup {
  const texts = { 'robots.txt': robots, 'sitemap.xml': sitemap, 'llms.txt': llms }
  const notes = warnings.map((warning) => <p class="note warn small">{warning}</p>)
  return (
    <div class="files grid">
      <p class="muted small">
        URLs {counts.urls}, pages read {counts.pages}, requests {counts.requests}, mode {mode}
      </p>
      {notes}
      {files.map(({ name, bytes }) => (
        <details class="box" open={name === 'robots.txt'} name="file">
          <summary>
            <code>{name}</code> <span class="muted small">{formatBytes(bytes)}</span>
          </summary>
          {textBlock(name, texts[name], 'data')}
        </details>
      ))}
    </div>
  )
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function snippetTabs(snippets: readonly Snippet[]): Markup {
  return (
    <fieldset class="snips tabs">
      <legend class="vh">Snippet</legend>
      {snippets.map(({ id, label, code }, index) => [
        radioTab('snippet', id, label, index === 0),
        codeBlock(label, code, id),
      ])}
      {copyButton({ class: 'btn copy end' })}
    </fieldset>
  )
}
