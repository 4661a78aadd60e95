import { cardImage } from './card-image.ts'
import { headTags } from './head-tags.ts'
import type { Address, CardParameters, EmbedOptions, KeyPair } from './types.ts'

/**
 * The tags of a page's share card for its `<head>`, escaped, one a line: `og:image` with type, size and alternative text,
 * and `twitter:card`. Takes the same as `cardImage`.
 *
 * @example
 * await cardTags('https://mintmark.example', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export async function cardTags(
  service: Address,
  parameters: CardParameters,
  pair: KeyPair,
  options?: EmbedOptions,
): Promise<string> {
  return headTags(await cardImage(service, parameters, pair, options))
}
