import { og } from '../../assets/og/asset.ts'
import type { CardBrands } from '../../assets/og/brand/card-brands.ts'
import type { Environment } from '../runtime.ts'
import { createBrandRevisions } from '../sign/brand-revisions.ts'
import { createUrlSigner } from '../sign/url-signer.ts'
import type { CardSource } from './card-source.ts'

interface SignedSourceOptions {
  /** The service's base URL. */
  readonly server: string
  readonly key: string
  readonly secret: string
  /** A folder as `brand export` writes one. */
  readonly brandFolder: string | undefined
  readonly env: Environment
}

/** Cards as signed addresses of a server, which is asked nothing. */
export function createSignedSource({ server, key, secret, brandFolder, env }: SignedSourceOptions) {
  const revisions = createBrandRevisions({ env, key, folder: brandFolder })
  const signer = createUrlSigner({
    base: server,
    pair: { key, secret },
    exp: undefined,
    form: 'path',
    revisionOf: revisions.of,
  })
  async function sign({ pairs, parsed }: Parameters<CardSource['ensure']>[0]): Promise<string> {
    const { format } = parsed.query
    const path = og.variants?.find(({ defaults }) => defaults['format'] === format)?.path ?? og.path
    return await signer.sign(
      path,
      pairs.filter(([name]) => name !== 'format'),
    )
  }
  return { find: sign, ensure: sign, slug: revisions.slug, close: revisions.close }
}

/** Where cards are drawn elsewhere, any brand may be meant. */
export const anyBrand: CardBrands = {
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
