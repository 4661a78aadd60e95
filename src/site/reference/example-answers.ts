import { basePathOf, htmlBelow } from '../../http/base-path.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText } from '../../lib/body.ts'
import { document } from '../../lib/jsx/markup.ts'
import { layout } from '../layout.tsx'
import type { PreviewRenderer } from '../preview-renderer.ts'

/** JSON responses of the examples that are no pictures. They are rendered without a request to another site. */
export async function exampleAnswers(
  previewRenderer: PreviewRenderer,
  context: RequestContext,
  origin: string,
): Promise<Readonly<Record<string, string>>> {
  const { rendered: product } = await previewRenderer.renderOwn(
    'sitemap',
    'domain=example.com&crawl=0',
    context,
  )
  return {
    sitemap: pretty(JSON.parse(bodyText(product.body))),
    preview: pretty(await ownPreview(origin)),
  }
}

/** The preview of a page of ours. */
async function ownPreview(origin: string): Promise<object> {
  const url = `${origin}/docs`
  const head = { title: 'Reference · Mintmark', description: 'Every endpoint.', origin, path: '/docs' }
  const { parsePreview } = await import('../../assets/preview/page-parser.ts')
  const html = htmlBelow(basePathOf(origin), document(layout(head, 'The page itself')))
  const body = new TextEncoder().encode(html)
  const fields = await parsePreview(body, { url, headers: { 'content-type': 'text/html; charset=utf-8' } })
  return { kind: 'preview', version: 1, url, ...fields }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
