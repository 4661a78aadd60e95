import { basePathOf, htmlBelow } from '../../http/base-path.ts'
import type { DrawingService } from '../../http/drawing-service.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { bodyText } from '../../lib/body.ts'
import { document } from '../../lib/jsx/markup.ts'
import { layout } from '../layout.tsx'

/** JSON responses of the examples that are no pictures. They are rendered without a request to another site. */
export async function exampleAnswers(
  drawings: DrawingService,
  context: RequestContext,
  origin: string,
): Promise<Readonly<Record<string, string>>> {
  const who = { for: 'page', client: context.clientAddress } as const
  const { rendered } = await drawings.asset('sitemap', 'domain=example.com&crawl=0', context, who)
  return {
    sitemap: pretty(JSON.parse(bodyText(rendered.body))),
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
