import { cardImage } from './client.js'
import { readService } from './service.js'

export async function cardMetadata(parameters, given) {
  const { url, exp, ...pair } = readService(given)
  const image = await cardImage(url, parameters, pair, { exp })
  return {
    openGraph: { images: [image] },
    twitter: { card: 'summary_large_image', images: [{ url: image.url, alt: image.alt }] },
  }
}
