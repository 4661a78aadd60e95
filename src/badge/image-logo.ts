import { Buffer } from 'node:buffer'
import { checkSvgLogo } from './svg-logo.ts'

const bytesMax = 8192
const dataUrl = /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/

/** What stands at which place in the files of each type. */
const signatures: Readonly<Record<string, readonly (readonly [offset: number, text: string])[]>> = {
  png: [[0, '\x89PNG\r\n\x1a\n']],
  jpeg: [[0, '\xff\xd8\xff']],
  gif: [[0, 'GIF8']],
  webp: [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ],
}

/** What is wrong with a logo given as a `data:` URL, or undefined when it may be shown. */
export function checkImageLogo(href: string): string | undefined {
  const [, type = '', base64 = ''] = dataUrl.exec(href) ?? []
  if (type === '') return 'must be a base64 data URL of type png, jpeg, gif, webp or svg+xml'
  if (base64.length > bytesMax * 2) return tooLarge
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.byteLength > bytesMax) return tooLarge
  if (type === 'svg+xml') return checkSvgLogo(bytes)
  const start = bytes.toString('latin1', 0, 16)
  const genuine = signatures[type]?.every(([offset, text]) => start.startsWith(text, offset))
  return genuine ? undefined : `is not a ${type} picture`
}

const tooLarge = `must have at most ${bytesMax} bytes`
