import { readUrl } from './arguments.ts'
import { textLength } from './check-texts.ts'
import { embedUrl } from './embed-url.ts'
import { textLimits } from './text-limits.ts'
import type { Address, CardImage, CardParameters, EmbedOptions, EmbedParameters, KeyPair } from './types.ts'

/**
 * The share card of a page as networks want it: a PNG with its size and alternative text. `service` is the base URL. A
 * text that is too long for the card is cut between two graphemes and ends in an ellipsis; the alternative text keeps all
 * of the title.
 */
export async function cardImage(
  service: Address,
  card: CardParameters,
  pair: KeyPair,
  options?: EmbedOptions,
): Promise<CardImage> {
  const { alt, format: _, title, ...others } = card
  const parameters = { ...others, title }
  const endpoint = new URL('/api/og.png', readUrl(service))
  const fitted = Object.entries(parameters).map(([name, value]) => [name, fit(name, value)])
  const url = await embedUrl(endpoint, Object.fromEntries(fitted), pair, options)
  const width = Number(others['width'] ?? 1200)
  const height = Math.round((width * 630) / 1200)
  return { url, type: 'image/png', width, height, alt: alt ?? title }
}

/** Numbers and booleans are never too long. */
function fit(name: string, value: EmbedParameters[string]): EmbedParameters[string] {
  const max = textLimits['og']?.[name]?.[0]
  const text = `${value ?? ''}`
  if (!max || textLength(text) <= max) return value
  let start = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textLength(start + segment) >= max) break
    start += segment
  }
  return `${start.trimEnd()}…`
}
