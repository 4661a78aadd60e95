import { entryOf, readUrl, refuseArgument } from './arguments.ts'
import { cardExtents, cardFormats } from './card-values.ts'
import { embedUrl } from './embed-url.ts'
import { headTags } from './head-tags.ts'
import type { Address, CardImage, CardParameters, EmbedOptions, KeyPair } from './types.ts'

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

/**
 * The share card of a page with its size and alternative text. `service` is the base URL. Unless `format` says otherwise
 * the card is a PNG, and a JPEG where it has a brand: a brand may stand on a photograph, and a PNG of that is too large for
 * some networks. Unless `overflow` says otherwise, a text that is too long for the card is fitted and ends in an ellipsis;
 * one that the service would not even read is cut before. The alternative text keeps all of the title.
 */
export async function cardImage(
  service: Address,
  card: CardParameters,
  pair: KeyPair,
  options?: EmbedOptions,
): Promise<CardImage> {
  const { alt, format = usualCardFormat(card.brand), overflow = 'ellipsis', ...parameters } = card
  const { title, size = 'og', width } = parameters
  const [path, type] =
    entryOf(cardFormats, format) ??
    refuseArgument(`format must be one of ${listed(cardFormats)}, not ${format}`)
  const [usualPx, heightPx] =
    entryOf(cardExtents, size) ?? refuseArgument(`size must be one of ${listed(cardExtents)}, not ${size}`)
  const endpoint = readUrl(service)
  endpoint.pathname = endpoint.pathname.replace(/\/$/, '') + path
  const url = await embedUrl(endpoint, { ...parameters, overflow }, pair, options)
  const widthPx = Number(width ?? usualPx)
  const height = Math.round((widthPx * heightPx) / usualPx)
  return { url, type, width: widthPx, height, alt: alt ?? `${title}` }
}

function listed(table: object): string {
  return Object.keys(table).join(', ')
}

/** The format of a share card that nobody chose. A PNG of a photograph, which a brand may have, is too large. */
export function usualCardFormat(brand: string | null | undefined): string {
  return brand ? 'jpeg' : 'png'
}
