import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { QueueClient } from '../../../lib/waiter.ts'
import { formatLabels, type PixelFormatName } from '../../../raster/picture-formats.ts'
import {
  checkPicture,
  type PictureType,
  type PixelLimits,
  readOrientation,
  readPictureHeader,
} from '../../../raster/picture-headers.ts'
import { type PictureDrawer, PictureRefused } from '../../../raster/picture-process/picture-drawer.ts'
import type {
  ConvertedPixels,
  EncodedBackground,
  EncodedPicture,
} from '../../../raster/picture-process/picture-messages.ts'
import { readSafeSvg } from '../../../svg/read-safe-svg.ts'
import type { CardFace } from '../canvas.ts'
import { type BrandPicture, type CardLogo, readShapesLogo } from './brand-images.ts'

export interface LogoDeps {
  readonly pictures: Pick<PictureDrawer, 'convert'>
  /** The caller, for the fair turns of `PictureDrawer`. */
  readonly client: QueueClient
}

/** The longest side of a logo of pixels. */
const sidePxMax = 512
/** A face is drawn up to so large on cards of the usual widths. */
const faceSidePx = 320
/** An SVG that needs pixels is drawn so large, and made smaller without its margins. */
const drawnSidePx = 1024

/** Large enough for cards of the usual widths. Each card decodes the picture; a wider card enlarges it. */
const background = { sidePxMax: 2000, pixelsMax: 2_250_000, quality: 85 } as const

/**
 * A logo as safe shapes, or as pixels that were decoded and encoded again: nothing of the file is passed on.
 * @throws UploadRefused with what is wrong, as the end of a sentence; PictureLimited, RasterBusy as `PictureDrawer`.
 */
export async function readLogo(bytes: Uint8Array, rules: LogoRules, deps: LogoDeps): Promise<CardLogo> {
  const type = typeOf(bytes, rules)
  const picture = type === 'svg' ? svgPicture(bytes, rules) : readEncodedPicture(type, bytes)
  const reply = await convert({ kind: 'logo', ...picture, sidePxMax }, deps)
  if (pixelTypeOf(reply) !== 'png') {
    const text = Buffer.from(reply).toString()
    const logo = readShapesLogo(text)
    if (logo === undefined) throw new UploadRefused(text)
    return logo
  }
  const view = new DataView(reply.buffer)
  // The size is the first thing in a PNG of ours.
  const [widthPx, heightPx] = [view.getUint32(16), view.getUint32(20)]
  return { kind: 'pixels', key: hash('sha256', reply), widthPx, heightPx, png: reply }
}

/** The middle of a picture in a circle. Throws as `readLogo` does. */
export async function readFace(bytes: Uint8Array, deps: LogoDeps): Promise<CardFace> {
  const picture = readEncodedPicture(typeOf(bytes, uploadedPicture), bytes)
  const png = await convert({ kind: 'face', ...picture, sidePx: faceSidePx }, deps)
  return { key: hash('sha256', png), sidePx: faceSidePx, png }
}

/** A picture for a background, upright, made small enough, encoded again and measured. Throws as `readLogo` does. */
export async function readPicture(
  bytes: Uint8Array,
  deps: LogoDeps,
  rules: PictureRules = uploadedPicture,
): Promise<Omit<BrandPicture, 'focus'>> {
  const type = typeOf(bytes, rules)
  const picture = readEncodedPicture(type, bytes, rules.pixels)
  const reply = await convert({ kind: 'background', ...picture, ...background, ...rules.reduced }, deps)
  const { base64, ...measured }: EncodedBackground = JSON.parse(Buffer.from(reply).toString())
  const jpeg = new Uint8Array(Buffer.from(base64, 'base64'))
  return { ...measured, jpeg, key: hash('sha256', jpeg) }
}

function typeOf<Type extends PixelType | 'svg'>(bytes: Uint8Array, rules: UploadRules<Type>): Type {
  const { bytesMax, types } = rules
  if (bytes.byteLength === 0) throw new UploadRefused('is empty')
  if (bytes.byteLength > bytesMax) throw new UploadRefused(`must have at most ${bytesMax} bytes`)
  const type = pixelTypeOf(bytes) ?? (isMarkup(bytes) ? 'svg' : undefined)
  const allowed = types.find((each) => each === type)
  if (allowed === undefined) throw new UploadRefused(`must be ${formatLabels(types)}`)
  return allowed
}

function svgPicture(bytes: Uint8Array, rules: LogoRules): EncodedPicture {
  const svg = readSafeSvg(bytes, { ...rules, isRedrawn: true })
  if (typeof svg === 'string') throw new UploadRefused(svg)
  const base64 = Buffer.from(svg.source).toString('base64')
  return { type: 'svg+xml', base64, widthPx: drawnSidePx, heightPx: drawnSidePx, orientation: 1 }
}

function convert(job: ConvertedPixels, { pictures, client }: LogoDeps) {
  return pictures.convert(job, client).catch((error) => {
    throw error instanceof PictureRefused ? new UploadRefused(error.message, { cause: error }) : error
  })
}

interface UploadRules<Type> {
  readonly bytesMax: number
  readonly types: readonly Type[]
  /** Elements of an SVG; as `readSafeSvg` has it when absent. */
  readonly elementsMax?: number
  readonly pixels?: PixelLimits
  /** Bounds of what a background becomes, in place of the usual ones. */
  readonly reduced?: { readonly sidePxMax: number; readonly bytesMax: number }
}

type LogoRules = UploadRules<PixelType | 'svg'>

export const uploadedLogo: LogoRules = { bytesMax: 65_536, types: ['svg', 'png'], elementsMax: 2_000 }
export const logoInUrl: LogoRules = { bytesMax: 8192, types: ['svg', 'png', 'jpeg', 'webp'] }

type PictureRules = UploadRules<PixelType>

export const uploadedPicture: PictureRules = { bytesMax: 2 ** 20, types: ['jpeg', 'png', 'webp'] }
export const pictureInUrl: PictureRules = { ...uploadedPicture, bytesMax: 8192 }
/** Smaller pictures are no background for a card. */
export const [widthPxMin, heightPxMin] = [400, 200]
export const webPicture: PictureRules = {
  ...uploadedPicture,
  bytesMax: 4 * 2 ** 20,
  // A progressive JPEG goes through its pixels ten times.
  pixels: { pxMax: 24_000_000, workPxMax: 240_000_000 },
  reduced: { sidePxMax: 1_600, bytesMax: 409_600 },
}

/** An uploaded file cannot be used; the message ends a sentence that begins with the field's name. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
}

type PixelType = Extract<PixelFormatName, PictureType>

export function pixelTypeOf(bytes: Uint8Array): PixelType | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'webp' : undefined
}

export function isMarkup(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 1024)).trimStart().startsWith('<')
}

/** Reads the header of a still picture, for the process that decodes it. Nothing is decoded here. @throws UploadRefused */
export function readEncodedPicture(type: PixelType, bytes: Uint8Array, limits?: PixelLimits): EncodedPicture {
  const problem = checkPicture(type, bytes, limits)
  if (problem !== undefined) throw new UploadRefused(problem)
  const header = readPictureHeader(type, bytes)
  if (header === undefined) throw new UploadRefused('cannot be read')
  const { widthPx, heightPx, frames, endsAt, exifAt } = header
  if (frames > 1) throw new UploadRefused('is animated; a still picture is needed')
  if (endsAt === undefined || endsAt > bytes.byteLength) throw new UploadRefused('is cut off')
  if (!isBareEnd(type, bytes.subarray(endsAt))) throw new UploadRefused('has other data behind the picture')
  const orientation = readOrientation(bytes, exifAt)
  return { type, base64: Buffer.from(bytes).toString('base64'), widthPx, heightPx, orientation }
}

/** Nothing, zeros, or the second picture that phones put behind a JPEG. */
function isBareEnd(type: PixelType, rest: Uint8Array): boolean {
  const isSecondPicture = type === 'jpeg' && rest[0] === 0xff && rest[1] === 0xd8
  return isSecondPicture || rest.every((byte) => byte === 0)
}
