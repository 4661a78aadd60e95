import { bodyText } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { document } from '../../lib/jsx/markup.ts'
import { parsePreview } from '../../preview/parse-preview.ts'
import { layout } from '../layout.tsx'
import type { Studio } from '../studio.ts'

/** What the examples that are no pictures answer, made here and now without asking anybody's site. */
export async function exampleAnswers(
  studio: Studio,
  exchange: Exchange,
): Promise<Readonly<Record<string, string>>> {
  const { product } = await studio.make('sitemap', 'domain=example.com&crawl=0', exchange)
  return {
    sitemap: pretty(JSON.parse(bodyText(product.body))),
    preview: pretty(await previewOfOurs(exchange.baseUrl)),
  }
}

/** What a preview finds on a page of ours. */
async function previewOfOurs(origin: string): Promise<object> {
  const url = `${origin}/docs`
  const head = { title: 'Reference · Mintmark', description: 'Every endpoint.', origin, path: '/docs' }
  const body = new TextEncoder().encode(document(layout(head, 'The page itself')))
  const fields = await parsePreview(body, { url, headers: { 'content-type': 'text/html; charset=utf-8' } })
  return { kind: 'preview', version: 1, url, ...fields }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
