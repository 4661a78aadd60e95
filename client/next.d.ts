import type { CardImage, CardParameters } from './client.js'
import type { Service } from './service.js'

/**
 * The share card of a page, for what `generateMetadata` returns. It runs on the server alone: the secret stays there.
 *
 * @example
 * const card = await cardMetadata({ title: post.title })
 * return { title: post.title, ...card }
 */
export declare function cardMetadata(parameters: CardParameters, service?: Service): Promise<CardMetadata>

export interface CardMetadata {
  openGraph: { images: CardImage[] }
  twitter: { card: 'summary_large_image'; images: { url: string; alt: string }[] }
}
