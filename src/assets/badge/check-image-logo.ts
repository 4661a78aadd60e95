import { Buffer } from 'node:buffer'
import { listOf } from '../../lib/human-format.ts'
import { checkPicture, isPictureType, pictureTypes } from '../../raster/picture-headers.ts'
import { readSafeSvg } from '../../svg/read-safe-svg.ts'

const bytesMax = 8192
const dataUrl = /^data:image\/([a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/

/** The fault of a logo given as a `data:` URL, as the end of a sentence; undefined if it may be shown. */
export function checkImageLogo(href: string): string | undefined {
  const [, type = '', base64 = ''] = dataUrl.exec(href) ?? []
  if (type !== 'svg+xml' && !isPictureType(type))
    return `must be a base64 data URL of type ${listOf([...pictureTypes, 'svg+xml'])}`
  if (base64.length > bytesMax * 2) return tooLarge
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.byteLength > bytesMax) return tooLarge
  if (type !== 'svg+xml') return checkPicture(type, bytes)
  const svg = readSafeSvg(bytes)
  return typeof svg === 'string' ? svg : undefined
}

const tooLarge = `must have at most ${bytesMax} bytes`
