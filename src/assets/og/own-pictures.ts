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
  readFace,
  readLogo,
  readPicture,
  UploadRefused,
} from './brand/read-upload.ts'
import type { CardFace } from './canvas.ts'

/** Returns what reads the pictures of a query. Each rejects with a `Problem` that names its parameter if it cannot be drawn. */
export function createOwnPictureReaders(pictures: LogoDeps['pictures']) {
  const readLogoOnce = cachedReader<CardLogo>('logo', (logo, name) =>
    logo.kind === 'pixels' ? logo.png.length : 4 * name.length,
  )
  const readPictureOnce = cachedReader<WebPicture>('picture', ({ jpeg }) => jpeg.length + 8_192)
  const readFaceOnce = cachedReader<CardFace>('face', ({ png }) => png.length)
  return {
    async logo(href: string | undefined, client: QueueClient): Promise<CardLogo | undefined> {
      const read = bytesIn(href, logoInUrl.types)
      return read && readLogoOnce(href ?? '', () => readLogo(read(), logoInUrl, { pictures, client }))
    },
    async picture(href: string | undefined, client: QueueClient): Promise<WebPicture | undefined> {
      const read = bytesIn(href, pictureInUrl.types)
      return (
        read && readPictureOnce(href ?? '', () => readPicture(read(), { pictures, client }, pictureInUrl))
      )
    },
    /** The face in the query, or of a picture of another site. */
    async face(href: string | undefined, kept: WebPicture | undefined, client: QueueClient) {
      const read = kept === undefined ? bytesIn(href, pictureInUrl.types) : () => kept.jpeg
      return read && readFaceOnce(kept?.key ?? href ?? '', () => readFace(read(), { pictures, client }))
    },
  }
}

/** The decoder of a `data:` URL, which `dataMistake` has nothing against; undefined for what is none. */
function bytesIn(href: string | undefined, names: readonly FormatName[]): (() => Uint8Array) | undefined {
  if (!href?.startsWith('data:')) return undefined
  return () => {
    const data = readLogoData(href, typesOf(names))
    return typeof data === 'string' ? new Uint8Array() : data.bytes
  }
}

function cachedReader<Picture extends object>(
  parameter: string,
  bytesOf: (picture: Picture, name: string) => number,
) {
  const kept = new LRUCache<string, Picture>({
    maxSize: 2 * 2 ** 20,
    sizeCalculation: (picture, name) => 2 * name.length + bytesOf(picture, name) + 500,
  })
  return async (name: string, read: () => Promise<Picture>): Promise<Picture> => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const picture = await read().catch((error: unknown) => {
      if (error instanceof UploadRefused) throw invalidQuery([{ parameter, message: error.message }])
      return throwUndrawn(error)
    })
    kept.set(name, picture)
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
