import { readFileSync } from 'node:fs'
import process from 'node:process'
import { og } from '../../assets/og/asset.ts'
import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import type { KeyPair } from '../../client/types.ts'
import { brandFolder, fixedBrand } from '../brands/brand-folder.ts'
import type { Environment } from '../runtime.ts'
import { createBrandRevisions, createUrlSigner } from '../sign/url-signer.ts'
import type { WantedCard } from './cards-run.ts'

/** Cards as signed URLs of a server, which is asked nothing. `brand` is a slug, or a folder as `brand export` writes one. */
export function openSignedCards(server: string, pair: KeyPair, brand: string | undefined, env: Environment) {
  const revisions = createBrandRevisions(env, pair.key, brandFolder(brand))
  const signer = createUrlSigner({
    base: server,
    pair,
    exp: undefined,
    form: 'path',
    revisionOf: revisions.of,
  })
  async function sign({ pairs, parsed }: WantedCard): Promise<string> {
    const { format } = parsed.query
    const path = og.variants?.find(({ defaults }) => defaults['format'] === format)?.path ?? og.path
    const others = pairs.filter(([name]) => name !== 'format')
    return await signer.sign(path, others)
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

const anyBrand: CardBrands = {
  resolve: (reference) => fixedBrand(reference, reference),
  load: () => Promise.reject(new Error('Cards are drawn by the server.')),
}

/** The secret of a key: from an option, the environment, a file that it names, or the standard input. */
export function readSecret(option: string | undefined, env: Environment, warn: (line: string) => void) {
  if (option !== undefined) {
    warn('--secret shows the secret to everybody on this machine; MINTMARK_SECRET does not.')
    return option
  }
  const file = env['MINTMARK_SECRET_FILE']
  const read = () => (file || !process.stdin.isTTY ? readFileSync(file || 0, 'utf8') : '').trim()
  const secret = env['MINTMARK_SECRET'] || read()
  if (secret === '')
    throw new Error(
      '--server needs MINTMARK_SECRET, MINTMARK_SECRET_FILE, or the secret on the standard input.',
    )
  return secret
}
