import type { RenderedAsset } from '../http/parsed-request.ts'
import { type Body, bodyText } from '../lib/body.ts'
import { readJpegHeader } from '../raster/picture-headers/jpeg-header.ts'
import { readPngHeader } from '../raster/picture-headers/png-header.ts'
import { readWebpHeader } from '../raster/picture-headers/webp-header.ts'

export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** The size of a picture that we rendered; undefined for every other type. */
export function pictureSize({
  body,
  contentType,
}: Pick<RenderedAsset, 'body' | 'contentType'>): PictureSize | undefined {
  if (contentType === 'image/svg+xml') return svgSize(body)
  const read = readers.get(contentType)
  if (read === undefined || typeof body === 'string') return undefined
  return read(new DataView(body.buffer, body.byteOffset, body.byteLength))
}

const readers = new Map([
  ['image/png', readPngHeader],
  ['image/jpeg', readJpegHeader],
  ['image/webp', readWebpHeader],
])

function svgSize(body: Body): PictureSize | undefined {
  const tag = bodyText(body.slice(0, 1024))
  const [, width] = /<svg[^>]*? width="([\d.]+)"/.exec(tag) ?? []
  const [, height] = /<svg[^>]*? height="([\d.]+)"/.exec(tag) ?? []
  return width && height ? { widthPx: Number(width), heightPx: Number(height) } : undefined
}
