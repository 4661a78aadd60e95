import { join } from 'node:path'
import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import { draftBrand } from '../../brands/brand-loader.ts'
import { checkForm } from '../../brands/check-form.ts'
import { createUploadReaders, importLimits, importReaders } from '../../brands/read-uploads.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { fixedBrand, folderError, readBrandFolder } from '../brands/brand-folder.ts'

/** Reads a folder as `brand import` does. Rejects with all mistakes in it, a line each. */
export async function readFolderBrand(
  folder: string,
  pictures: Pick<PictureDrawer, 'convert'>,
): Promise<{ readonly slug: string; readonly brands: CardBrands }> {
  const form = readBrandFolder(folder, importLimits)
  if ('mistakes' in form) throw new Error(form.mistakes.map((line) => join(folder, line)).join('\n'))
  const noBrands = { jpegWithKey: async () => undefined }
  const readers = importReaders(createUploadReaders(pictures), noBrands)
  const { change, mistakes } = await checkForm(form, undefined, readers)
  if (mistakes.length > 0) throw folderError(folder, form, mistakes)
  const slug = form.texts.slug?.trim() ?? ''
  const brand = await draftBrand(change, undefined, {
    file: () => Promise.reject(new Error('A new brand keeps no file.')),
  })
  return {
    slug,
    brands: {
      resolve: (given) =>
        given === slug ? fixedBrand(slug, brand.key) : `must be ${slug}, the brand in ${folder}`,
      load: async () => brand,
    },
  }
}
