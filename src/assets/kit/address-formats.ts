import { type PictureFormatName, pictureFormatNames, pictureFormats } from '../../raster/picture-formats.ts'
import type { Asset } from './asset.ts'

/** An extension of a signed address in the path, and its picture format. */
export interface AddressFormat {
  readonly format: PictureFormatName
  /** Without its dot: `jpg`. */
  readonly extension: string
  readonly mediaType: string
}

/** The pictures of an asset that have signed addresses in the path; none where it draws none, or nobody needs to sign. */
export function addressFormats({ mediaTypes, errorPicture, priceMicros }: Asset): readonly AddressFormat[] {
  if (errorPicture === undefined || priceMicros === undefined) return []
  return pictureFormatNames.flatMap((format) => {
    const { mediaType, extensions } = pictureFormats[format]
    return mediaTypes.includes(mediaType) ? [{ format, extension: extensions[0], mediaType }] : []
  })
}
