import { LRUCache } from 'lru-cache'
import { invalidQuery } from '../../errors.ts'
import type { QueueClient } from '../../lib/waiter.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'
import { readSafeSvg } from '../../svg/read-safe-svg.ts'
import type { Rule } from '../kit/asset.ts'
import { readLogoData } from '../logo-rule.ts'
import { throwUndrawn } from '../picture-files.ts'
import type { WebPicture } from '../web-pictures.ts'
import type { CardLogo } from './brand/brand-images.ts'
import {
  type LogoDeps,
  logoInUrl,
  pictureInUrl,
  pixelTypeOf,
  readEncodedPicture,
  readLogo,
  readPicture,
  UploadRefused,
} from './brand/read-upload.ts'

/** Returns what reads pictures in the query. Each rejects with a `Problem` that names its parameter if it cannot be drawn. */
export function createOwnPictureReaders(pictures: LogoDeps['pictures']) {
  return {
    logo: cachedReader<CardLogo>(
      'logo',
      logoInUrl.types,
      (logo, key) => (logo.kind === 'pixels' ? logo.png.length : 4 * key.length),
      (bytes, client) => readLogo(bytes, logoInUrl, { pictures, client }),
    ),
    picture: cachedReader<WebPicture>(
      'picture',
      pictureInUrl.types,
      ({ jpeg }) => jpeg.length + 8_192,
      (bytes, client) => readPicture(bytes, { pictures, client }, pictureInUrl),
    ),
  }
}

function cachedReader<Picture extends object>(
  parameter: string,
  names: readonly FormatName[],
  bytesOf: (picture: Picture, href: string) => number,
  read: (bytes: Uint8Array, client: QueueClient) => Promise<Picture>,
) {
  const kept = new LRUCache<string, Picture>({
    maxSize: 2 * 2 ** 20,
    sizeCalculation: (picture, href) => 2 * href.length + bytesOf(picture, href) + 500,
  })
  return async (href: string | undefined, client: QueueClient): Promise<Picture | undefined> => {
    if (!href?.startsWith('data:')) return undefined
    const known = kept.get(href)
    if (known !== undefined) return known
    // `dataMistake` has nothing against it.
    const data = readLogoData(href, typesOf(names))
    const bytes = typeof data === 'string' ? new Uint8Array() : data.bytes
    const picture = await read(bytes, client).catch((error: unknown) => {
      if (error instanceof UploadRefused) throw invalidQuery([{ parameter, message: error.message }])
      return throwUndrawn(error)
    })
    kept.set(href, picture)
    return picture
  }
}

type FormatName = (typeof logoInUrl.types)[number]

function typesOf(names: readonly FormatName[]): readonly string[] {
  return names.map((type) => pictureFormats[type].mediaType.slice('image/'.length))
}

/** Refuses a `data:` URL in a parameter of pictures for a fault that is visible before anything is drawn. */
export function pictureRule(parameter: string): Rule {
  return ({ [parameter]: href }) => {
    if (typeof href !== 'string' || !href.startsWith('data:')) return undefined
    const message = dataMistake(href, pictureInUrl.types)
    return message === undefined ? undefined : { parameter, message }
  }
}

/** The fault of a logo that is visible before anything is drawn, as the end of a sentence. */
export function logoDataMistake(logo: string): string | undefined {
  return dataMistake(logo, logoInUrl.types)
}

function dataMistake(href: string, names: readonly FormatName[]): string | undefined {
  const data = readLogoData(href, typesOf(names))
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
