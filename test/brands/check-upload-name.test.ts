import { describe, expect, test } from 'bun:test'
import { checkUploadName } from '../../src/brands/read-uploads.ts'

const heads = {
  png: '\x89PNG\r\n\x1a\n',
  jpeg: '\xff\xd8\xff\xe0',
  webp: 'RIFF\0\0\0\0WEBP',
  svg: '\n<svg xmlns=',
  ttf: '\0\x01\0\0',
  otf: 'OTTO',
  woff2: 'wOF2',
} as const

function check(name: string, head: string): string | undefined {
  return checkUploadName({ name, bytes: Uint8Array.from(Buffer.from(head, 'latin1')) })
}

describe('the name of an upload', () => {
  test.each([
    ['logo.png', heads.png],
    ['LOGO.PNG', heads.png],
    ['photo.jpg', heads.jpeg],
    ['photo.JPEG', heads.jpeg],
    ['photo.webp', heads.webp],
    ['acme.logo.svg', heads.svg],
    ['face.ttf', heads.otf],
    ['face.otf', heads.ttf],
    ['face.woff2', heads.woff2],
    ['picture', heads.jpeg],
    ['Photo 12.30', heads.jpeg],
    ['', heads.png],
    ['anything.exe', 'MZ, which no field takes'],
    ['nothing.png', ''],
  ])('%s suits what is in it', (name, head) => {
    expect(check(name, head)).toBeUndefined()
  })

  test.each([
    ['logo.svg', heads.png, 'has a name that ends in .svg, but is a PNG'],
    ['logo.png', heads.svg, 'has a name that ends in .png, but is an SVG'],
    ['photo.png', heads.jpeg, 'has a name that ends in .png, but is a JPEG'],
    ['photo.jpg.exe', heads.jpeg, 'has a name that ends in .exe, but is a JPEG'],
    ['photo.html', heads.webp, 'has a name that ends in .html, but is a WebP'],
    ['face.woff2', heads.ttf, 'has a name that ends in .woff2, but is a TTF or OTF'],
    ['face.ttf', heads.woff2, 'has a name that ends in .ttf, but is a WOFF2'],
  ])('%s does not suit it', (name, head, reason) => {
    expect(check(name, head)).toBe(reason)
  })
})
