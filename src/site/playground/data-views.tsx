/** @jsxImportSource #jsx */
import type { Bundle } from '../../assets/sitemap/bundle.ts'
import { formatBytes } from '../../lib/human-format.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { textBlock } from '../parts/code-block.tsx'

/** An answer that is no picture: as what it describes, and as it is. */
export function dataView(contentType: string, text: string): Child {
  if (!contentType.includes('json')) return textBlock('Answer', text, 'data')
  const value: unknown = JSON.parse(text)
  if (isBundle(value)) return bundleFiles(value)
  return [previewCard(value), textBlock('Answer as JSON', JSON.stringify(value, null, 2), 'data')]
}

function isBundle(value: unknown): value is Bundle {
  return isJsonObject(value) && 'robots' in value && 'llms' in value
}

/** A link preview as a chat shows it. The picture's URL is text, because our pages load nothing from other sites. */
function previewCard(value: unknown): Child {
  if (!isJsonObject(value) || value['kind'] !== 'preview') return undefined
  const { title, description, site_name: site, final_url: address, image } = value
  return (
    <article class="unfurl box grid">
      <small class="muted">{text(site) ?? hostOf(text(address))}</small>
      <b>{text(title) ?? 'Without a title'}</b>
      <p>{text(description)}</p>
      {isJsonObject(image) && <code class="muted">{text(image['url'])}</code>}
    </article>
  )
}

/** The files of a site bundle in full. */
function bundleFiles({ files, robots, sitemap, llms, mode, counts, warnings }: Bundle): Markup {
  const texts = { 'robots.txt': robots, 'sitemap.xml': sitemap, 'llms.txt': llms }
  return (
    <div class="files grid">
      <p class="muted small">
        URLs {counts.urls}, pages read {counts.pages}, requests {counts.requests}, mode {mode}
      </p>
      {warnings.map((warning) => (
        <p class="note warn small">{warning}</p>
      ))}
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

function hostOf(address: string | undefined): string {
  return address && URL.canParse(address) ? new URL(address).host : ''
}
