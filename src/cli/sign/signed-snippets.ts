import { shareCardOf } from '../../client/share-card-of.ts'
import type { QueryPair } from '../../lib/canonical-query.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'
import type { RowValue } from '../rows/row.ts'
import type { UrlSigner } from './url-signer.ts'

/** Returns a signed address, then HTML and Markdown that show it, and for a card the tag of a page's head: a line each. */
export async function signedSnippets(
  signer: UrlSigner,
  path: string,
  parameters: ReadonlyMap<string, RowValue>,
  alt?: string,
): Promise<string> {
  const pairs = [...parameters].flatMap(([name, value]) =>
    [value].flat().map((one): QueryPair => [name, one]),
  )
  const url = await signer.sign(path, pairs)
  const call = new URL(path, 'http://localhost')
  for (const [name, value] of pairs) call.searchParams.append(name, value)
  const card = shareCardOf(call)?.url
  const cardUrl = card && (await signer.sign(card.pathname + card.search, []))
  const text =
    alt ?? String(parameters.get('title') ?? parameters.get('value') ?? parameters.get('name') ?? '')
  return [
    url,
    `<img src="${escapeHtml(url)}" alt="${escapeHtml(text)}">`,
    ...(cardUrl ? [`<meta property="og:image" content="${escapeHtml(cardUrl)}">`] : []),
    `![${text.replace(/[\\[\]]/g, '\\$&')}](${url})`,
  ].join('\n')
}
