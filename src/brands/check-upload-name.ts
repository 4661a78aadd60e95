import { Buffer } from 'node:buffer'
import { isMarkup, pixelTypeOf } from '../assets/og/brand/upload-rules.ts'
import { pictureFormats } from '../raster/picture-formats.ts'
import type { UploadedFile } from './brand-form.ts'

type FileType = NonNullable<ReturnType<typeof pixelTypeOf>> | 'svg' | 'sfnt' | 'woff2'

const fileTypes: Readonly<
  Record<FileType, { readonly name: string; readonly extensions: readonly string[] }>
> = {
  png: { name: 'a PNG', extensions: pictureFormats.png.extensions },
  jpeg: { name: 'a JPEG', extensions: [...pictureFormats.jpeg.extensions, 'jpe', 'jfif'] },
  webp: { name: 'a WebP', extensions: pictureFormats.webp.extensions },
  svg: { name: 'an SVG', extensions: pictureFormats.svg.extensions },
  // Both have outlines of either kind nowadays.
  sfnt: { name: 'a TTF or OTF', extensions: ['ttf', 'otf'] },
  woff2: { name: 'a WOFF2', extensions: ['woff2'] },
}

/**
 * Why a file's name does not suit what is in it, as the end of a sentence: whoever chose it may have meant another one. A
 * name without an extension suits all files; what no field takes is for its reader to refuse.
 */
export function checkUploadName({ name, bytes }: UploadedFile): string | undefined {
  const type = fileTypeOf(bytes)
  const [, extension] = /\.(?=\d*[a-z])([a-z\d]+)$/i.exec(name) ?? []
  if (type === undefined || extension === undefined) return undefined
  const { name: typeName, extensions } = fileTypes[type]
  if (extensions.includes(extension.toLowerCase())) return undefined
  return `has a name that ends in .${extension.slice(0, 12)}, but is ${typeName}`
}

function fileTypeOf(bytes: Uint8Array): FileType | undefined {
  const signature = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (signature === 'wOF2') return 'woff2'
  if (['\0\x01\0\0', 'OTTO', 'true'].includes(signature)) return 'sfnt'
  return pixelTypeOf(bytes) ?? (isMarkup(bytes) ? 'svg' : undefined)
}
