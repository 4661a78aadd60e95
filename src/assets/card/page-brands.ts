import { operatorRequester } from '../../web/requester.ts'
import type { CardBrand, CardBrands } from '../og/brand/card-brand.ts'
import { requesterOf } from '../unpaid-fetch.ts'
import type { PictureCache } from './picture-cache.ts'

/** A picture that takes the place of that of a brand. */
interface Placed {
  readonly key: string
  readonly addresses: readonly string[]
  readonly brand: string | undefined
}

/** No slug of a brand begins like this. */
const start = 'picture:'

/** Returns the name under which a brand, or none, has the picture of a page. */
export function withPagePicture(placed: Placed): string {
  return start + JSON.stringify([placed.key, placed.addresses, placed.brand])
}

/** The given brands, and those with a picture of a page. A picture that is lost meanwhile is left out. */
export function createPageBrands(brands: CardBrands, pictures: Pick<PictureCache, 'get'>): CardBrands {
  return {
    resolve: brands.resolve,
    async load(reference, context): Promise<CardBrand> {
      if (!reference.startsWith(start)) return brands.load(reference, context)
      const [key, addresses, name] = JSON.parse(reference.slice(start.length)) as [string, string[], string?]
      const brand = name == null ? { key: '' } : await brands.load(name, context)
      const picture = await pictures.get(key, addresses, () =>
        context === undefined ? operatorRequester : requesterOf(context, context.grant ?? { mode: 'demo' }),
      )
      if (picture === undefined) return brand
      const focus = brand.picture?.focus ?? centre
      return { ...brand, key: `${brand.key} ${picture.key}`, picture: { ...picture, focus } }
    },
  }
}

const centre = { x: 50, y: 50 }
