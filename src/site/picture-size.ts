import type { RenderedAsset } from '../http/parsed-request.ts'
import { type Body, bodyText } from '../lib/body.ts'
import { formatOfMediaType, pictureFormats } from '../raster/picture-formats.ts'

export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** The size of a picture that we rendered; undefined for every other type. */
export function pictureSize({
  body,
  contentType,
}: Pick<RenderedAsset, 'body' | 'contentType'>): PictureSize | undefined {
  const format = formatOfMediaType(contentType)
  if (format === pictureFormats.svg) return svgSize(body)
  if (format?.readHeader === undefined || typeof body === 'string') return undefined
  return format.readHeader(new DataView(body.buffer, body.byteOffset, body.byteLength))
}

function svgSize(body: Body): PictureSize | undefined {
  const tag = bodyText(body.slice(0, 1024))
  const [, width] = /<svg[^>]*? width="([\d.]+)"/.exec(tag) ?? []
  const [, height] = /<svg[^>]*? height="([\d.]+)"/.exec(tag) ?? []
  return width && height ? { widthPx: Number(width), heightPx: Number(height) } : undefined
}
