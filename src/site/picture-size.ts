import type { RenderedAsset } from '../http/parsed-request.ts'
import { type Body, bodyText } from '../lib/body.ts'

export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** The size of a PNG or SVG that we rendered; undefined for every other type. */
export function pictureSize({
  body,
  contentType,
}: Pick<RenderedAsset, 'body' | 'contentType'>): PictureSize | undefined {
  if (contentType === 'image/png') return pngSize(body)
  return contentType === 'image/svg+xml' ? svgSize(body) : undefined
}

function pngSize(body: Body): PictureSize | undefined {
  if (typeof body === 'string') return undefined
  const header = new DataView(body.buffer, body.byteOffset)
  return { widthPx: header.getUint32(16), heightPx: header.getUint32(20) }
}

function svgSize(body: Body): PictureSize | undefined {
  const tag = bodyText(body.slice(0, 1024))
  const [, width] = /<svg[^>]*? width="([\d.]+)"/.exec(tag) ?? []
  const [, height] = /<svg[^>]*? height="([\d.]+)"/.exec(tag) ?? []
  return width && height ? { widthPx: Number(width), heightPx: Number(height) } : undefined
}
