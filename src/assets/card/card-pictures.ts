import { dimension, isContent } from '../preview/fields/media.ts'
import type { ParsedPage } from '../preview/page-parser.ts'
import type { PageOrigin } from '../preview/rule.ts'
import { createUrlResolver } from '../preview/url-resolver.ts'
import { heightPxMin, widthPxMin } from './least-picture.ts'

/**
 * Addresses of pictures for the card of a page: what it names for previews, else the large ones of its article in order.
 * A card that was drawn here is none of them.
 */
export function cardPictures(
  { fields, metadata }: Pick<ParsedPage, 'fields' | 'metadata'>,
  url: string,
  allowsAddress: PageOrigin['allowsAddress'],
): readonly string[] {
  const named = fields.images.find(({ source, url: address }) => source === 'og:image' && !isOurCard(address))
  if (named !== undefined) return [named.secure_url ?? named.url]
  const resolve = createUrlResolver(url, metadata.base, allowsAddress && { allowsAddress })
  const inText = metadata.images.filter((image) => {
    const [width, height] = [dimension(image.width), dimension(image.height)]
    const isLarge = (width ?? widthPxMin) >= widthPxMin && (height ?? heightPxMin) >= heightPxMin
    return isLarge && image.part !== 'margin' && isContent(image, width, height)
  })
  return inText
    .flatMap(({ src }) => resolve(src) ?? [])
    .filter((address, index, all) => !isOurCard(address) && all.indexOf(address) === index)
}

/** Whether a picture is a card of a Mintmark: from its API, a signed address, or a file that `mintmark cards` wrote. */
function isOurCard(address: string): boolean {
  return ourCard.test(new URL(address).pathname)
}

const ourCard =
  /\/api\/(?:og|card)(?:\.(?:png|jpg|webp))?$|\/i\/(?:og|card)\/mk_[^/]+\/|\/og\/[\da-f]{32}\.(?:png|jpg|webp)$/
