import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import { createByteCache } from '../lib/byte-cache.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import type { BrandFileField, BrandRevisionFileRow } from '../store/brands.ts'
import type { Store } from '../store/open.ts'
import type { FileContent } from './brand-form.ts'
import type { BrandLook } from './brand-look.ts'
import { fileContent } from './stored-file.ts'

/** All files that are kept in memory. What cards draw with, such as fonts in use, has caches of its own. */
const fileBytesMax = 12 * 2 ** 20
const revisionBytesMax = 2 ** 20

/** A stored revision without the bytes of its files. */
export interface StoredRevision {
  readonly slug: string
  readonly revision: number
  readonly name: string
  readonly look: BrandLook
  readonly files: readonly BrandRevisionFileRow[]
  readonly createdAtMs: number
}

export type BrandLoader = ReturnType<typeof createBrandLoader>

/** Reads revisions and files, which never change, through bounded caches. */
export function createBrandLoader({ brands }: Pick<Store, 'brands'>) {
  const files = createByteCache<{ readonly content: FileContent; readonly bytes: number }>({
    bytesMax: fileBytesMax,
    sizeOf: ({ bytes }) => bytes,
  })
  const revisions = createByteCache<StoredRevision>({ bytesMax: revisionBytesMax, sizeOf: () => 2_000 })
  const coalesce = createCoalescer<CardBrand>()

  function revision(slug: string, number: number): StoredRevision | Promise<StoredRevision> {
    return revisions.getOrCreate(`${slug}@${number}`, async () => {
      const row = await brands.revision(slug, number)
      if (row === undefined) throw new Error(`There is no revision ${number} of the brand ${slug}.`)
      return { ...row, look: JSON.parse(row.look) as BrandLook, files: await brands.filesOf(slug, number) }
    })
  }

  async function file(sha256: string): Promise<FileContent> {
    const { content } = await files.getOrCreate(sha256, async () => {
      const row = await brands.file(sha256)
      if (row === undefined) throw new Error(`The file ${sha256} of a brand is missing.`)
      return { content: fileContent(row), bytes: row.bytes.length }
    })
    return content
  }

  return {
    revision,
    file,
    /** The look of a revision with its files. */
    load: (slug: string, number: number): Promise<CardBrand> =>
      coalesce(`${slug}@${number}`, async () => {
        const { look, files: used } = await revision(slug, number)
        const contents = await Promise.all(
          used.map(async ({ field, sha256 }) => [field, await file(sha256)] as const),
        )
        return cardBrand(`${slug}@${number}`, look, Object.fromEntries(contents))
      }),
  }
}

/** A look with its files, as cards are drawn with it. */
export function cardBrand(
  key: string,
  { focus = { x: 50, y: 50 }, ...look }: BrandLook,
  { logo, titleFont, textFont, picture }: Readonly<Partial<Record<BrandFileField, FileContent>>>,
): CardBrand {
  return {
    key,
    ...look,
    ...(logo?.kind === 'logo' && { logo: logo.logo }),
    ...(titleFont?.kind === 'font' && { titleFont: titleFont.font }),
    ...(textFont?.kind === 'font' && { textFont: textFont.font }),
    ...(picture?.kind === 'picture' && { picture: { ...picture.picture, focus } }),
  }
}
