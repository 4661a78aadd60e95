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
  const logos = cachedReader<CardLogo>('logo', (logo) =>
    logo.kind === 'pixels' ? logo.png.length : 2 * logo.shapes.reduce((sum, { d }) => sum + d.length, 0),
  )
  const backgrounds = cachedReader<WebPicture>('picture', ({ jpeg }) => jpeg.length + 8_192)
  const faces = cachedReader<CardFace>('face', ({ png }) => png.length)
  return {
    async logo(href: string | undefined, client: QueueClient): Promise<CardLogo | undefined> {
      if (!isData(href)) return undefined
      return logos(href, () => readLogo(bytesIn(href, logoInUrl.types), logoInUrl, { pictures, client }))
    },
    async picture(href: string | undefined, client: QueueClient): Promise<WebPicture | undefined> {
      if (!isData(href)) return undefined
      const bytes = () => bytesIn(href, pictureInUrl.types)
      return backgrounds(href, () => readPicture(bytes(), { pictures, client }, pictureInUrl))
    },
    /** The face in the query, or of a picture of another site. */
    async face(href: string | undefined, cached: WebPicture | undefined, client: QueueClient) {
      if (cached === undefined && !isData(href)) return undefined
      const bytes = () => cached?.jpeg ?? bytesIn(href ?? '', pictureInUrl.types)
      return faces(cached?.key ?? href ?? '', () => readFace(bytes(), { pictures, client }))
    },
  }
}

function isData(href: string | undefined): href is string {
  return href?.startsWith('data:') === true
}

type FormatName = (typeof logoInUrl.types)[number]

function dataIn(href: string, names: readonly FormatName[]) {
  const types = names.map((name) => pictureFormats[name].mediaType.slice('image/'.length))
  return readLogoData(href, types)
}

/** The bytes of a `data:` URL, which `dataMistake` has nothing against. */
function bytesIn(href: string, names: readonly FormatName[]): Uint8Array {
  const data = dataIn(href, names)
  return typeof data === 'string' ? new Uint8Array() : data.bytes
}

function cachedReader<Picture extends object>(parameter: string, bytesOf: (picture: Picture) => number) {
  const cache = new LRUCache<string, Picture>({
    maxSize: 2 * 2 ** 20,
    sizeCalculation: (picture, name) => 2 * name.length + bytesOf(picture) + 500,
  })
  return async (name: string, read: () => Promise<Picture>): Promise<Picture> => {
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const picture = await read().catch((error: unknown) => {
      if (error instanceof UploadRefused) throw invalidQuery([{ parameter, message: error.message }])
      return throwUndrawn(error)
    })
    cache.set(name, picture)
    return picture
  }
}

/** Refuses a `data:` URL in a parameter of pictures for a fault that is visible before anything is drawn. */
export function pictureRule(parameter: string): Rule {
  return ({ [parameter]: href }) => {
    const message =
      typeof href === 'string' && isData(href) ? dataMistake(href, pictureInUrl.types) : undefined
    return message === undefined ? undefined : { parameter, message }
  }
}

/** The fault of a logo that is visible before anything is drawn, as the end of a sentence. */
export function logoDataMistake(logo: string): string | undefined {
  return dataMistake(logo, logoInUrl.types)
}

function dataMistake(href: string, names: readonly FormatName[]): string | undefined {
  const data = dataIn(href, names)
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
