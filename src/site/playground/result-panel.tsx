/** @jsxImportSource #jsx */
import { formatBytes, formatDuration, formatSpan } from '../../lib/human-format.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { dataView } from './data-views.tsx'
import type { PlaygroundState } from './form.ts'
import type { Result } from './result.ts'
import { snippetTabs } from './snippet-tabs.tsx'
import { type Snippet, snippets } from './snippets.ts'

export interface ResultPanelInput {
  readonly origin: string
  readonly state: PlaygroundState
  readonly result: Result
}

/** The result with its size and timing, and snippets that request it. Its height is fixed, so that the page does not jump. */
export function resultPanel(input: ResultPanelInput): Markup {
  const { result, state } = input
  const { asset } = state.form
  return (
    <div
      class="stage"
      data-path={asset.path}
      data-query={String(state.query)}
      data-stream={result.type === 'started' && result.url}
    >
      <div class={`canvas is-${result.type}`} tabindex="0" role="region" aria-label="Result">
        {canvas(input)}
      </div>
      <div class="facts">{summary(result)}</div>
      {snippetTabs(result.type === 'problem' && result.problem.code === 'invalid_query' ? [] : lines(input))}
    </div>
  )
}

function canvas({ state, result }: ResultPanelInput): Child {
  switch (result.type) {
    case 'waiting':
      return <p class="muted">Press the button and the answer appears here.</p>
    case 'started':
      return (
        <p class="muted" role="status">
          Looking at the site …
        </p>
      )
    case 'problem':
      return (
        <div class="note warn">
          <b>{result.problem.code === 'invalid_query' ? 'Mend the marked field' : 'No result'}</b>
          <span>{result.problem.message}</span>
        </div>
      )
    case 'picture':
      return (
        <img
          src={result.url}
          width={Math.round(result.size.widthPx)}
          height={Math.round(result.size.heightPx)}
          alt={altOf(state)}
        />
      )
    default:
      return dataView(result.preview.rendered.contentType, result.text)
  }
}

function summary(result: Result): Child {
  if (result.type !== 'picture' && result.type !== 'data') return <span>&nbsp;</span>
  const { rendered, durationMs, isCached, cacheSeconds } = result.preview
  const kind = /^[a-z]+\/(?:x-)?([a-z]+)/.exec(rendered.contentType)?.[1] ?? ''
  return [
    result.type === 'picture' && (
      <span>
        <b>
          {Math.round(result.size.widthPx)} × {Math.round(result.size.heightPx)}
        </b>
      </span>
    ),
    <span>
      <b>{formatBytes(rendered.body.length)}</b> {kind.toUpperCase()}
    </span>,
    <span>
      {isCached ? 'from memory in' : 'made in'} <b>{formatDuration(durationMs)}</b>
    </span>,
    <span>
      cached for <b>{formatSpan(cacheSeconds * 1000)}</b>
    </span>,
  ]
}

function lines({ origin, state, result }: ResultPanelInput): readonly Snippet[] {
  const { asset } = state.form
  const query = new URLSearchParams(state.query)
  if (asset.priceMicros !== undefined) query.append('demo', '1')
  const contentType = 'preview' in result ? result.preview.rendered.contentType : 'application/json'
  return snippets({
    asset,
    origin,
    query: state.query,
    url: `${origin}${asset.path}?${query}`,
    alt: altOf(state),
    extension: extensionOf(contentType),
    size: result.type === 'picture' ? result.size : undefined,
  })
}

function extensionOf(contentType: string): string {
  if (contentType.includes('svg')) return 'svg'
  if (contentType.includes('png')) return 'png'
  return contentType.includes('json') ? 'json' : 'txt'
}

/** The alternative text of a picture: the text that it shows. */
function altOf({ form, values }: PlaygroundState): string {
  const { title, name, label, value, status, metric } = values
  if (form.asset.id === 'badge') return [label, value || status].filter(Boolean).join(': ')
  return title || name || label || metric || form.asset.title
}
