import { checkPicture, isPictureType, pictureTypes } from '../../raster/picture-headers.ts'
import { readSafeSvg } from '../../svg/read-safe-svg.ts'
import { readLogoData } from '../logo-rule.ts'

/** The fault of a logo given as a `data:` URL, as the end of a sentence; undefined if it may be shown. */
export function checkImageLogo(href: string): string | undefined {
  const logo = readLogoData(href, [...pictureTypes, 'svg+xml'])
  if (typeof logo === 'string') return logo
  if (isPictureType(logo.type)) return checkPicture(logo.type, logo.bytes)
  const svg = readSafeSvg(logo.bytes)
  return typeof svg === 'string' ? svg : undefined
}
