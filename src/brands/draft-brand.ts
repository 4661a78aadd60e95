import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { BrandFileField } from '../store/brands.ts'
import { type BrandChange, brandFileFields } from './brand-form.ts'
import { type BrandLoader, cardBrand, type StoredRevision, type UsedFile } from './brand-loader.ts'
import { changedLook, lookDigest } from './brand-look.ts'
import { storedFile } from './stored-file.ts'

/** How cards would look after a change of the last revision. */
export async function draftBrand(
  change: BrandChange,
  last: StoredRevision | undefined,
  loader: Pick<BrandLoader, 'file'>,
): Promise<CardBrand> {
  const contents: Partial<Record<BrandFileField, UsedFile>> = {}
  const files: { readonly field: BrandFileField; readonly sha256: string }[] = []
  for (const field of brandFileFields) {
    const added = change.files[field]
    const existing = last?.files.find((file) => file.field === field)
    if (added) {
      contents[field] = added.content
      files.push({ field, sha256: storedFile(added.content).sha256 })
    } else if (added === undefined && existing !== undefined) {
      contents[field] = await loader.file(existing.sha256)
      files.push(existing)
    }
  }
  const look = changedLook(last?.look ?? {}, change.look)
  return cardBrand(`draft ${lookDigest(look, files)}`, look, contents)
}
