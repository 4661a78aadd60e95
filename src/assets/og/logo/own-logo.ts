import { LRUCache } from 'lru-cache'
import { invalidQuery } from '../../../errors.ts'
import type { QueueClient } from '../../../lib/waiter.ts'
import { pictureFormats } from '../../../raster/picture-formats.ts'
import { readSafeSvg } from '../../../svg/read-safe-svg.ts'
import { readLogoData } from '../../logo-rule.ts'
import { throwUndrawn } from '../../picture-files.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import {
  type LogoDeps,
  logoInUrl,
  pixelTypeOf,
  readEncodedPicture,
  readLogo,
  UploadRefused,
} from '../brand/read-upload.ts'

/** Returns what reads a logo that is a picture in the query. Rejects with a `Problem` that names `logo` if it cannot be drawn. */
export function createOwnLogoReader(pictures: LogoDeps['pictures']) {
  const kept = new LRUCache<string, CardLogo>({
    maxSize: 2 * 2 ** 20,
    sizeCalculation: (logo, key) =>
      2 * key.length + (logo.kind === 'pixels' ? logo.png.length : 4 * key.length) + 500,
  })
  return async (logo: string | undefined, client: QueueClient): Promise<CardLogo | undefined> => {
    if (!logo?.startsWith('data:')) return undefined
    const known = kept.get(logo)
    if (known !== undefined) return known
    // `logoDataMistake` has nothing against it.
    const data = readLogoData(logo, types)
    const bytes = typeof data === 'string' ? new Uint8Array() : data.bytes
    const read = await readLogo(bytes, logoInUrl, { pictures, client }).catch(problemOf)
    kept.set(logo, read)
    return read
  }
}

function problemOf(error: unknown): never {
  if (error instanceof UploadRefused) throw invalidQuery([{ parameter: 'logo', message: error.message }])
  return throwUndrawn(error)
}

const types = logoInUrl.types.map((type) => pictureFormats[type].mediaType.slice('image/'.length))

/** The fault of a logo that is visible before anything is drawn, as the end of a sentence. */
export function logoDataMistake(logo: string): string | undefined {
  const data = readLogoData(logo, types)
  if (typeof data === 'string') return data
  const { type, bytes } = data
  const pixelType = pixelTypeOf(bytes)
  if ((pixelType ?? 'svg+xml') !== type) return `is not of the type ${type}`
  if (pixelType === undefined) {
    const svg = readSafeSvg(bytes, { ...logoInUrl, isRedrawn: true })
    return typeof svg === 'string' ? svg : undefined
  }
  try {
    readEncodedPicture(pixelType, bytes)
    return undefined
  } catch (error) {
    if (error instanceof UploadRefused) return error.message
    throw error
  }
}
