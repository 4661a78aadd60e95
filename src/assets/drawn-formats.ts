import { type PictureFormatName, pictureFormats } from '../raster/picture-formats.ts'

/** The answer of a drawn asset: a picture, or the data it is drawn from. */
export type DrawnFormat = PictureFormatName | 'json'

const json = { mediaType: 'application/json', extensions: ['json'] } as const

export function drawnFormat(format: DrawnFormat) {
  return format === 'json' ? json : pictureFormats[format]
}

/** For the row of an asset. */
export function mediaTypesOf(formats: readonly DrawnFormat[]): readonly string[] {
  return formats.map((format) => drawnFormat(format).mediaType)
}
