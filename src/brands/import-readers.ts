import { createHash } from 'node:crypto'
import { readShapesLogo } from '../assets/og/brand/card-logo.ts'
import type { BrandFileField, BrandFileRow } from '../store/brands.ts'
import { fontBytesMax } from '../text/brand-fonts/font-limits.ts'
import { FontRefused } from '../text/brand-fonts/font-refused.ts'
import { readFont } from '../text/brand-fonts/read-font.ts'
import { type UploadReaders, uploadBytesMax } from './read-uploads.ts'
import { fileContent } from './stored-file.ts'

/** How many bytes the files of a folder may have: what is stored can be larger than what was uploaded. */
export const importLimits: Readonly<Record<BrandFileField, number>> = {
  ...uploadBytesMax,
  logo: 256 * 1024,
  picture: 4 * 2 ** 20,
  titleFont: fontBytesMax,
  textFont: fontBytesMax,
}

interface ImportReadersDeps {
  /** For whatever was not exported from here. */
  readonly readers: UploadReaders
  /** Pictures that are stored already, by the SHA-256 of their JPEG. */
  readonly brands: { jpegWithKey(key: string): PromiseLike<BrandFileRow | undefined> }
}

/** Readers for folders: what an export wrote is read as it was, so that it gives the same look. */
export function importReaders({ readers, brands }: ImportReadersDeps): UploadReaders {
  return {
    bytesMax: importLimits,
    logo: async (bytes) => readShapesLogo(new TextDecoder().decode(bytes)) ?? readers.logo(bytes),
    font: (bytes) =>
      readFont(bytes, { bytesMax: fontBytesMax }).catch((error: unknown) => {
        if (error instanceof FontRefused) return { refused: error.message }
        throw error
      }),
    async picture(bytes) {
      const row = await brands.jpegWithKey(createHash('sha256').update(bytes).digest('hex'))
      const content = row && fileContent(row)
      return content?.kind === 'picture' ? content.picture : readers.picture(bytes)
    },
  }
}
