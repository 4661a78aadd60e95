import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import { createByteCache } from '../lib/byte-cache.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import type { BrandFileField, BrandFileRow, BrandRevisionFileRow } from '../store/brands.ts'
import type { Store } from '../store/open.ts'
import type { BrandFont, CardFont, StoredFont } from '../text/brand-fonts/brand-font.ts'
import { factsText } from '../text/brand-fonts/font-facts.ts'
import type { FileContent } from './brand-form.ts'
import type { BrandLook } from './brand-look.ts'
import { fileContent } from './stored-file.ts'

/** Limits of the caches of revisions and of their files, without the bytes of fonts, which the text engine caches. */
export const brandCacheBytes = {
  brandFiles: 5 * 2 ** 20,
  brandRevisions: 2 ** 20,
} as const
/** Estimated size of the facts about a font: its characters, and where its marks go. */
const fontFactsBytes = 64 * 1024

/** A file as cards use it. */
export type UsedFile =
  | Exclude<FileContent, { kind: 'font' }>
  | { readonly kind: 'font'; readonly font: CardFont }

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
  const files = createByteCache<{ readonly content: UsedFile; readonly bytes: number }>({
    bytesMax: brandCacheBytes.brandFiles,
    sizeOf: ({ bytes }) => bytes,
  })
  const revisions = createByteCache<StoredRevision>({
    bytesMax: brandCacheBytes.brandRevisions,
    sizeOf: () => 2_000,
  })
  const coalesce = createCoalescer<CardBrand>()

  function revision(slug: string, number: number): StoredRevision | Promise<StoredRevision> {
    return revisions.getOrCreate(`${slug}@${number}`, async () => {
      const row = await brands.revision(slug, number)
      if (row === undefined) throw new Error(`There is no revision ${number} of the brand ${slug}.`)
      return { ...row, look: JSON.parse(row.look) as BrandLook, files: await brands.filesOf(slug, number) }
    })
  }

  async function storedRow(sha256: string): Promise<BrandFileRow> {
    const row = await brands.file(sha256)
    if (row === undefined) throw new Error(`The file ${sha256} of a brand is missing.`)
    return row
  }

  function storedFont(sha256: string, { key, bytes }: BrandFont): StoredFont {
    return { key, facts: factsText(bytes), read: async () => (await storedRow(sha256)).bytes }
  }

  async function file(sha256: string): Promise<UsedFile> {
    const { content } = await files.getOrCreate(sha256, async () => {
      const row = await storedRow(sha256)
      const content = fileContent(row)
      if (content.kind !== 'font') return { content, bytes: row.bytes.length }
      return { content: { kind: 'font', font: storedFont(sha256, content.font) }, bytes: fontFactsBytes }
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
  { logo, titleFont, textFont, picture }: Readonly<Partial<Record<BrandFileField, UsedFile>>>,
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
