import { cardImage } from './client.js'
import { readService } from './service.js'

export async function cardMetadata(parameters, given) {
  const { url, pair, options } = readService(given)
  const image = await cardImage(url, parameters, pair, options)
  return {
    openGraph: { images: [image] },
    twitter: { card: 'summary_large_image', images: [{ url: image.url, alt: image.alt }] },
  }
}
