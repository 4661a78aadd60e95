import { hash } from 'node:crypto'
import process from 'node:process'
import { listOf } from '../lib/human-format.ts'
import type { Repaint } from './encode-png.ts'
import { deflateSettings, encodeWithin, qualitiesFrom } from './encode-within.ts'
import type { BackedBitmap } from './pixel-canvas.ts'

/** Only lossy encoders read `quality`, 1 to 100. */
type Encode = (
  bitmap: BackedBitmap,
  traits: { readonly quality: number; readonly repaint?: Repaint | undefined },
) => Promise<Uint8Array<ArrayBuffer>>

interface PictureFormat {
  readonly label: string
  readonly mediaType: string
  /** The first one is what we write. */
  readonly extensions: readonly [string, ...string[]]
  readonly isLossy: boolean
  /** Loaded with the first picture. A format without an encoder is written, not painted. */
  readonly loadEncoder?: () => Promise<Encode>
  /** A background without a photograph may have so many colours, where few make a file small; in proportion to `quality`. */
  readonly backgroundColorsMax?: number
}

/** The formats that we make: parameters, paths, OpenAPI and the rest follow from a row. `picture-headers.ts` has callers'. */
export const pictureFormats = {
  svg: { label: 'SVG', mediaType: 'image/svg+xml', extensions: ['svg'], isLossy: false },
  png: {
    label: 'PNG',
    mediaType: 'image/png',
    extensions: ['png'],
    isLossy: false,
    backgroundColorsMax: 128,
    loadEncoder: async () => {
      const { encodePhotoPng, encodePng } = await import('./encode-png.ts')
      return async (bitmap, { repaint }) => (repaint ? encodePhotoPng(bitmap, repaint) : encodePng(bitmap))
    },
  },
  jpeg: {
    label: 'JPEG',
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    isLossy: true,
    loadEncoder: async () => {
      const { encodeJpeg } = await import('./encode-lossy.ts')
      return (bitmap, { quality }) => encodeJpeg(bitmap, quality)
    },
  },
  webp: {
    label: 'WebP',
    mediaType: 'image/webp',
    extensions: ['webp'],
    isLossy: true,
    backgroundColorsMax: 128,
    loadEncoder: async () => {
      const { encodeWebp } = await import('./encode-lossy.ts')
      return (bitmap, { quality }) => encodeWebp(bitmap, quality)
    },
  },
} as const satisfies Readonly<Record<string, PictureFormat>>

export type PictureFormatName = keyof typeof pictureFormats

export type PixelFormatName = Exclude<PictureFormatName, 'svg'>

const rows = Object.entries<PictureFormat>(pictureFormats) as readonly (readonly [
  PictureFormatName,
  PictureFormat,
])[]

export const pictureFormatNames = rows.map(([name]) => name)
export const pixelFormatNames = pictureFormatNames.filter(isPixelFormat)
/** Formats that keep less than every pixel, as much as `quality` says. */
export const lossyFormatNames = pictureFormatNames.filter((name) => pictureFormats[name].isLossy)

export function isPixelFormat(name: PictureFormatName): name is PixelFormatName {
  return 'loadEncoder' in pictureFormats[name]
}

/** Default quality of JPEG and WebP, at which a background keeps as many colours as in PNG. */
export const usualQuality = 82

export function backgroundColorsMaxOf({ format, quality = usualQuality }: PictureEncoding) {
  const { backgroundColorsMax, isLossy }: PictureFormat = pictureFormats[format]
  if (backgroundColorsMax === undefined || !isLossy) return backgroundColorsMax
  return Math.round((backgroundColorsMax * quality) / usualQuality)
}

/** A JPEG or WebP that networks would not take has a lower quality; a PNG with a photograph in it (`repaint`) becomes a palette. */
export async function encodePicture(
  bitmap: BackedBitmap,
  { format, quality = usualQuality }: PictureEncoding,
  repaint?: Repaint,
): Promise<Uint8Array<ArrayBuffer>> {
  const { loadEncoder, isLossy } = pictureFormats[format]
  const encode = await loadEncoder()
  if (!isLossy) return encode(bitmap, { quality, repaint })
  return encodeWithin(qualitiesFrom(quality), (setting) => encode(bitmap, setting))
}

export function formatOfMediaType(mediaType: string): PictureFormat | undefined {
  const [type = ''] = mediaType.split(';')
  return rows.find(([, row]) => row.mediaType === type.trim())?.[1]
}

export function formatOfFileName(name: string): PictureFormatName | undefined {
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return rows.find(([, row]) => row.extensions.includes(extension))?.[0]
}

/** The formats of files that a form takes, for `accept`: `.jpg,.jpeg,image/jpeg`. */
export function acceptedFiles(names: readonly PictureFormatName[]): string {
  const taken = names.map((name): PictureFormat => pictureFormats[name])
  const extensions = taken.flatMap((row) => row.extensions.map((extension) => `.${extension}`))
  return [...extensions, ...taken.map((row) => row.mediaType)].join(',')
}

export function formatLabels(names: readonly PictureFormatName[]): string {
  return listOf(names.map((name) => pictureFormats[name].label))
}

const { bun = '', deno = '', zlib = '' } = process.versions

/**
 * Names the deflate of this runtime. Versions and processors compress the same pixels to different bytes, and so do our own
 * settings: the strong ETag of a PNG has to differ with them. JPEG and WebP are encoded by WebAssembly, everywhere alike.
 */
export const deflateId = hash(
  'sha256',
  `bun ${bun} deno ${deno} zlib ${zlib} ${process.arch} ${deflateSettings} ${pictureFormats.png.backgroundColorsMax}`,
  'base64url',
).slice(0, 8)

/** The format that pixels become. Formats that keep every pixel ignore the `quality`, 1 to 100. */
export interface PictureEncoding {
  readonly format: PixelFormatName
  readonly quality?: number
}
