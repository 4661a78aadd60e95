import { type PictureFormatName, pictureFormats } from '../raster/picture-formats.ts'

export type DrawnFormat = PictureFormatName | 'json'

const json = { mediaType: 'application/json', extensions: ['json'] } as const

export function drawnFormat(format: DrawnFormat) {
  return format === 'json' ? json : pictureFormats[format]
}

/** For the row of an asset. */
export function mediaTypesOf(formats: readonly DrawnFormat[]): readonly string[] {
  return formats.map((format) => drawnFormat(format).mediaType)
}
