import { readUrl, refuse } from './arguments.ts'
import { cardExtents } from './card-extents.ts'
import { embedUrl } from './embed-url.ts'
import type { Address, CardImage, CardParameters, EmbedOptions, KeyPair } from './types.ts'

/**
 * The share card of a page as networks want it: a PNG with its size and alternative text. `service` is the base URL.
 * Unless `overflow` says otherwise, a text that is too long for the card is fitted and ends in an ellipsis; one that the
 * service would not even read is cut before. The alternative text keeps all of the title.
 */
export async function cardImage(
  service: Address,
  card: CardParameters,
  pair: KeyPair,
  options?: EmbedOptions,
): Promise<CardImage> {
  const { alt, format: _, ...parameters }: CardParameters = { overflow: 'ellipsis', ...card }
  const { title, size = 'og', width } = parameters
  const [usualPx, heightPx] = cardExtents[size] ?? refuse(`no size ${size}`)
  const url = await embedUrl(new URL('/api/og.png', readUrl(service)), parameters, pair, options)
  const widthPx = Number(width ?? usualPx)
  const height = Math.round((widthPx * heightPx) / usualPx)
  return { url, type: 'image/png', width: widthPx, height, alt: alt ?? title }
}
