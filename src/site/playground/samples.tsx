/** @jsxImportSource #jsx */
import { liveNames, sourceParameters } from '../../assets/badge/live/source.ts'
import { document } from '../../lib/jsx/markup.ts'
import type { PlaygroundState } from './form.ts'

/** Recorded from a page and a document of other sites, so that a form shows a result before anything is fetched. */
const page = {
  url: 'https://ogp.me/',
  host: 'ogp.me',
  title: 'Open Graph protocol',
  description: 'The Open Graph protocol enables any web page to become a rich object in a social graph.',
  image: 'https://ogp.me/logo.png',
}
const packageVersion = '5.9.3'

/** A result that is made without a request to another site. */
export type Sample = { readonly from: string } & (
  | {
      /** The asset and its query that draw what the page or document said. */
      readonly assetId: string
      readonly query: URLSearchParams
      readonly page?: SharedTexts
    }
  | { readonly text: () => Promise<string> }
)

export interface SharedTexts {
  readonly title: string
  readonly description: string
  readonly host: string
}

/** The sample for the form's state; undefined where the visitor asks for another page or document. */
export function sampleFor({ form, values, query, isExample }: PlaygroundState): Sample | undefined {
  const names = [...query.keys()]
  switch (form.id) {
    case 'card':
      return values['page'] === page.url ? cardSample(query) : undefined
    case 'live-badge': {
      const isSample = ['json', 'query'].every((name) => values[name] === form.example[name])
      const sources = sourceParameters.filter((name) => query.has(name))
      return isSample && sources.length === 1 ? badgeSample(query) : undefined
    }
    case 'preview':
      return values['url'] === page.url && names.length === 1
        ? { from: page.host, text: samplePreview }
        : undefined
    case 'sitemap':
      return isExample
        ? {
            from: values['domain'] ?? '',
            assetId: 'sitemap',
            query: new URLSearchParams([...query, ['crawl', 'false']]),
          }
        : undefined
    default:
      return undefined
  }
}

function cardSample(asked: URLSearchParams): Sample {
  const { title, description, host } = page
  const own = new Set(['page', 'picture', 'fallback', 'site'])
  const texts = { title, subtitle: description, url: host, overflow: 'ellipsis' }
  const given = [...asked].filter(([name]) => !own.has(name))
  const query = new URLSearchParams({ ...texts, ...Object.fromEntries(given) })
  return { from: host, assetId: 'og', query, page }
}

function badgeSample(asked: URLSearchParams): Sample {
  const value = `${asked.get('prefix') ?? ''}${packageVersion}${asked.get('suffix') ?? ''}`
  const given = [...asked].filter(([name]) => !liveNames.includes(name))
  const query = new URLSearchParams([...given, ['value', value]])
  return { from: new URL(asked.get('json') ?? page.url).host, assetId: 'badge', query }
}

/** The preview of a page that says these things. */
async function samplePreview(): Promise<string> {
  const { url, title, description, image, host } = page
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta property="og:type" content="website" />
        <meta property="og:url" content={url} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:site_name" content={host} />
        <meta property="og:image" content={image} />
      </head>
    </html>
  )
  const { parsePreview } = await import('../../assets/preview/page-parser.ts')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const fields = await parsePreview(new TextEncoder().encode(document(html)), { url, headers })
  return JSON.stringify({ kind: 'preview', version: 1, url, final_url: url, http_status: 200, ...fields })
}
