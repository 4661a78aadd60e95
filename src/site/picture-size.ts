import type { Product } from '../http/calls.ts'

export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** How large a picture of ours is drawn; undefined for anything that is no picture. */
export function pictureSize({ bytes, contentType }: Product): PictureSize | undefined {
  if (contentType === 'image/png') return pngSize(bytes)
  return contentType === 'image/svg+xml' ? svgSize(bytes) : undefined
}

function pngSize(bytes: Uint8Array): PictureSize {
  const header = new DataView(bytes.buffer, bytes.byteOffset)
  return { widthPx: header.getUint32(16), heightPx: header.getUint32(20) }
}

function svgSize(bytes: Uint8Array): PictureSize | undefined {
  const tag = new TextDecoder().decode(bytes.subarray(0, 1024))
  const [, width] = /<svg[^>]*? width="([\d.]+)"/.exec(tag) ?? []
  const [, height] = /<svg[^>]*? height="([\d.]+)"/.exec(tag) ?? []
  return width && height ? { widthPx: Number(width), heightPx: Number(height) } : undefined
}
