import { Buffer } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import { invalidQuery } from '../../../errors.ts'
import { listOf } from '../../../lib/human-format.ts'
import type { QueueClient } from '../../../lib/waiter.ts'
import { pictureFormats } from '../../../raster/picture-formats.ts'
import { readSafeSvg } from '../../../svg/read-safe-svg.ts'
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
    if (logo === undefined || !isLogoData(logo)) return undefined
    const known = kept.get(logo)
    if (known !== undefined) return known
    const read = await readLogo(logoBytes(logo), logoInUrl, { pictures, client }).catch(problemOf)
    kept.set(logo, read)
    return read
  }
}

function problemOf(error: unknown): never {
  if (error instanceof UploadRefused) throw invalidQuery([{ parameter: 'logo', message: error.message }])
  return throwUndrawn(error)
}

const dataUrl = /^data:image\/([a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/
const types = logoInUrl.types.map((type) => pictureFormats[type].mediaType.slice('image/'.length))

export function isLogoData(logo: string): boolean {
  return logo.startsWith('data:')
}

/** The bytes of a logo that `logoDataMistake` has nothing against. */
export function logoBytes(logo: string): Uint8Array {
  return Buffer.from(dataUrl.exec(logo)?.[2] ?? '', 'base64')
}

/** The fault of a logo that is visible before anything is drawn, as the end of a sentence. */
export function logoDataMistake(logo: string): string | undefined {
  const [, type, base64 = ''] = dataUrl.exec(logo) ?? []
  if (type === undefined || !types.includes(type)) return `must be a base64 data URL of type ${listOf(types)}`
  const bytes = base64.length > 2 * logoInUrl.bytesMax ? undefined : logoBytes(logo)
  if (bytes === undefined || bytes.byteLength > logoInUrl.bytesMax)
    return `must have at most ${logoInUrl.bytesMax} bytes`
  const pixelType = pixelTypeOf(bytes)
  if ((pixelType ?? 'svg+xml') !== type) return `is not of the type ${type}`
  if (pixelType !== undefined) return pixelsMistake(() => readEncodedPicture(pixelType, bytes))
  const svg = readSafeSvg(bytes, { ...logoInUrl, isRedrawn: true })
  return typeof svg === 'string' ? svg : undefined
}

function pixelsMistake(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof UploadRefused) return error.message
    throw error
  }
}
