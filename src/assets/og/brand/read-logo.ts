import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatLabels } from '../../../raster/picture-formats.ts'
import { type PictureDrawer, PictureRefused } from '../../../raster/picture-process/picture-drawer.ts'
import type { EncodedPicture } from '../../../raster/picture-process/picture-messages.ts'
import { readSafeSvg, type SafeSvg } from '../../../svg/read-safe-svg.ts'
import { NeedsPixels, UnreadableSvg } from '../../../svg/svg-errors.ts'
import { type SvgLimits, svgLimits } from '../../../svg/svg-limits.ts'
import { readSvgShapes } from '../../../svg/svg-shapes.ts'
import type { CardLogo, PixelsLogo } from './card-logo.ts'
import { isMarkup, type LogoRules } from './logo-rules.ts'
import { logoOfShapes } from './logo-shapes.ts'
import { pixelTypeOf, readEncodedPicture } from './read-pixels.ts'
import { UploadRefused } from './upload-refused.ts'

export interface LogoDeps {
  readonly pictures: Pick<PictureDrawer, 'convert'>
  /** Whose turn it is: see `PictureDrawer`. */
  readonly client: string
}

/** The longest side of a logo of pixels. */
const sidePxMax = 512
/** An SVG that needs pixels is drawn so large, and made smaller without its margins. */
const drawnSidePx = 1024

/** An upload may be eight times as long as a logo in a URL. */
const uploadLimits: SvgLimits = { ...svgLimits, elements: 2_000, drawn: 4_000, styleRules: 300 }

/**
 * A logo as safe shapes, or as pixels that were decoded and encoded again: nothing of the file is passed on. An SVG that
 * needs more than filled shapes becomes pixels.
 * @throws UploadRefused with what is wrong, as the end of a sentence.
 * @throws PictureLimited, RasterBusy as `PictureDrawer` does.
 */
export async function readLogo(
  bytes: Uint8Array,
  { bytesMax, types }: LogoRules,
  deps: LogoDeps,
): Promise<CardLogo> {
  if (bytes.byteLength === 0) throw new UploadRefused('is empty')
  if (bytes.byteLength > bytesMax) throw new UploadRefused(`must have at most ${bytesMax} bytes`)
  const type = pixelTypeOf(bytes) ?? (isMarkup(bytes) ? 'svg' : undefined)
  if (type === undefined || !types.includes(type)) throw new UploadRefused(`must be ${formatLabels(types)}`)
  if (type !== 'svg') return pixelsLogo(readEncodedPicture(type, bytes), deps)
  const svg = readSafeSvg(bytes, { allowsNotes: true, limits: bytesMax > 8192 ? uploadLimits : svgLimits })
  if (typeof svg === 'string') throw new UploadRefused(svg)
  return svgLogo(svg, deps)
}

/** Each step is bounded by what was read before it; between them others have their turn. */
async function svgLogo(svg: SafeSvg, deps: LogoDeps): Promise<CardLogo> {
  try {
    await nextTurn()
    const shapes = readSvgShapes(svg.elements)
    await nextTurn()
    return logoOfShapes(shapes)
  } catch (error) {
    if (error instanceof UnreadableSvg) throw new UploadRefused(error.message, { cause: error })
    if (!(error instanceof NeedsPixels)) throw error
  }
  const base64 = Buffer.from(svg.source).toString('base64')
  const size = { widthPx: drawnSidePx, heightPx: drawnSidePx }
  return pixelsLogo({ type: 'svg+xml', base64, ...size, orientation: 1 }, deps)
}

async function pixelsLogo(picture: EncodedPicture, { pictures, client }: LogoDeps): Promise<PixelsLogo> {
  const png = await pictures.convert({ kind: 'logo', ...picture, sidePxMax }, client).catch((error) => {
    throw error instanceof PictureRefused ? new UploadRefused(error.message, { cause: error }) : error
  })
  const view = new DataView(png.buffer)
  // The size is the first thing in a PNG of ours.
  return {
    kind: 'pixels',
    key: hash('sha256', png),
    widthPx: view.getUint32(16),
    heightPx: view.getUint32(20),
    png,
  }
}
