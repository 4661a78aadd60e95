import { og } from '../../assets/og/asset.ts'
import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import { brandFolder } from '../brands/brand-folder.ts'
import type { Environment } from '../runtime.ts'
import { createBrandRevisions, createUrlSigner } from '../sign/url-signer.ts'
import type { CardOrigin, WantedCard } from './card-source.ts'

interface SignedCardsOptions {
  /** The service's base URL. */
  readonly server: string
  readonly key: string
  readonly secret: string
  /** A folder as `brand export` writes one, or a slug. */
  readonly brand: string | undefined
  readonly env: Environment
}

/** Cards as signed addresses of a server, which is asked nothing. */
export function openSignedCards({ server, key, secret, brand, env }: SignedCardsOptions): CardOrigin {
  const revisions = createBrandRevisions({ env, key, folder: brandFolder(brand) })
  const signer = createUrlSigner({
    base: server,
    pair: { key, secret },
    exp: undefined,
    form: 'path',
    revisionOf: revisions.of,
  })
  async function sign({ pairs, parsed }: WantedCard): Promise<string> {
    const { format } = parsed.query
    const path = og.variants?.find(({ defaults }) => defaults['format'] === format)?.path ?? og.path
    return await signer.sign(
      path,
      pairs.filter(([name]) => name !== 'format'),
    )
  }
  const signed = { find: sign, ensure: sign }
  return {
    brands: anyBrand,
    brand: revisions.slug ?? brand,
    pagePictures: undefined,
    signed,
    openSource: () => ({ ...signed, faults: async () => [], close: async () => {} }),
    close: revisions.close,
  }
}

/** Where cards are drawn elsewhere, any brand may be meant. */
const anyBrand: CardBrands = {
  resolve: (reference) => ({
    reference,
    key: reference,
    keyIds: undefined,
    isCurrent: () => true,
    recheck: () => undefined,
    count: () => {},
  }),
  load: () => Promise.reject(new Error('Cards are drawn by the server.')),
}
