import { Buffer } from 'node:buffer'
import type { PixelFormatName } from '../../../raster/picture-formats.ts'
import {
  checkPicture,
  type PictureType,
  readOrientation,
  readPictureHeader,
} from '../../../raster/picture-headers.ts'
import type { EncodedPicture } from '../../../raster/picture-process/picture-messages.ts'

/** Limits of the file of a logo. */
export interface LogoRules {
  readonly bytesMax: number
  readonly types: readonly (PixelType | 'svg')[]
  /** Elements of an SVG; as `readSafeSvg` has it when absent. */
  readonly elementsMax?: number
}

/** A logo that a brand uploads. */
export const uploadedLogo: LogoRules = { bytesMax: 65_536, types: ['svg', 'png'], elementsMax: 2_000 }
/** A logo in a URL. */
export const logoInUrl: LogoRules = { bytesMax: 8192, types: ['svg', 'png', 'jpeg', 'webp'] }

interface PictureRules {
  readonly bytesMax: number
  readonly types: readonly PixelType[]
}

/** Limits of the file of a background picture. */
export const uploadedPicture: PictureRules = { bytesMax: 2 ** 20, types: ['jpeg', 'png', 'webp'] }

/** An uploaded file cannot be used; the message ends a sentence that begins with the field's name. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
}

/** Types of files that are told apart by their first bytes. */
export type PixelType = Extract<PixelFormatName, PictureType>

/** The type that the signature shows; undefined for anything else. */
export function pixelTypeOf(bytes: Uint8Array): PixelType | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'webp' : undefined
}

/** Whether the first character that is no white space is a `<`. */
export function isMarkup(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 1024)).trimStart().startsWith('<')
}

/**
 * Reads the header of a still picture, for the process that decodes it. Nothing is decoded here.
 * @throws UploadRefused when it is too large, animated, cut off, or when something else stands behind it.
 */
export function readEncodedPicture(type: PixelType, bytes: Uint8Array): EncodedPicture {
  const problem = checkPicture(type, bytes)
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
