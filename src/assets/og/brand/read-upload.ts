import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { QueueClient } from '../../../lib/waiter.ts'
import { formatLabels } from '../../../raster/picture-formats.ts'
import { type PictureDrawer, PictureRefused } from '../../../raster/picture-process/picture-drawer.ts'
import type {
  BackgroundPixels,
  EncodedBackground,
  EncodedPicture,
  LogoPixels,
} from '../../../raster/picture-process/picture-messages.ts'
import { readSafeSvg } from '../../../svg/read-safe-svg.ts'
import { type BrandPicture, type CardLogo, readShapesLogo } from './brand-images.ts'
import {
  isMarkup,
  type LogoRules,
  type PixelType,
  pixelTypeOf,
  readEncodedPicture,
  UploadRefused,
  uploadedPicture,
} from './upload-rules.ts'

export interface LogoDeps {
  readonly pictures: Pick<PictureDrawer, 'convert'>
  /** Whose turn it is: see `PictureDrawer`. */
  readonly client: QueueClient
}

/** The longest side of a logo of pixels. */
const sidePxMax = 512
/** An SVG that needs pixels is drawn so large, and made smaller without its margins. */
const drawnSidePx = 1024

/** Large enough for cards of the usual widths. Each card decodes the picture; a wider card enlarges it. */
const background = { sidePxMax: 2000, pixelsMax: 2_250_000, quality: 85 } as const

/**
 * A logo as safe shapes, or as pixels that were decoded and encoded again: nothing of the file is passed on. An SVG that
 * needs more than filled shapes becomes pixels.
 * @throws UploadRefused with what is wrong, as the end of a sentence.
 * @throws PictureLimited, RasterBusy as `PictureDrawer` does.
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

/**
 * A picture for a background, upright, made small enough, encoded again and measured: nothing of the file is passed on.
 * Throws as `readLogo` does.
 */
export async function readPicture(
  bytes: Uint8Array,
  deps: LogoDeps,
  bytesMax = uploadedPicture.bytesMax,
): Promise<Omit<BrandPicture, 'focus'>> {
  const type = typeOf(bytes, { ...uploadedPicture, bytesMax })
  const reply = await convert({ kind: 'background', ...readEncodedPicture(type, bytes), ...background }, deps)
  const { base64, ...measured }: EncodedBackground = JSON.parse(Buffer.from(reply).toString())
  const jpeg = new Uint8Array(Buffer.from(base64, 'base64'))
  return { ...measured, jpeg, key: hash('sha256', jpeg) }
}

function typeOf<Type extends PixelType | 'svg'>(
  bytes: Uint8Array,
  { bytesMax, types }: { readonly bytesMax: number; readonly types: readonly Type[] },
): Type {
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

async function convert(
  job: LogoPixels | BackgroundPixels,
  { pictures, client }: LogoDeps,
): Promise<Uint8Array<ArrayBuffer>> {
  return pictures.convert(job, client).catch((error) => {
    throw error instanceof PictureRefused ? new UploadRefused(error.message, { cause: error }) : error
  })
}
