import { expect, test } from 'bun:test'
import { checkPicture, type PictureType, readPictureHeader } from '../../src/raster/picture-headers.ts'
import { extendedWebp, gif, jpegHeader, lossless, plainPng, webp } from '../support/pictures.ts'
import { randomFrom } from '../support/random.ts'

/** A lossy WebP's start: a key frame, its start code, its size. */
const lossy = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 120, 0, 80, 0])

const pictures: readonly (readonly [type: PictureType, bytes: Buffer, widthPx: number, heightPx: number])[] =
  [
    ['png', plainPng(640, 480), 640, 480],
    ['png', plainPng(7, 9, 1, 3, 1), 7, 9],
    ['jpeg', jpegHeader(640, 480), 640, 480],
    ['jpeg', jpegHeader(33, 44, 0xc2, 9), 33, 44],
    ['gif', gif(90, 60, [[90, 60]]), 90, 60],
    ['webp', webp('VP8L', lossless(300, 200)), 300, 200],
    ['webp', webp('VP8 ', lossy), 120, 80],
    ['webp', extendedWebp(64, 64), 64, 64],
  ]

test('the size of a picture is read from its headers', () => {
  for (const [type, bytes, widthPx, heightPx] of pictures) {
    expect(readPictureHeader(type, bytes)).toMatchObject({ widthPx, heightPx })
    expect(checkPicture(type, bytes)).toBeUndefined()
  }
})

test('a picture that is cut off anywhere in its headers is refused, and none is too broken to say so', () => {
  const random = randomFrom(3)
  for (const [type, bytes] of pictures) {
    for (let end = 0; end < bytes.length; end++) {
      const complaint = checkPicture(type, bytes.subarray(0, end))
      if (end < 20) expect(complaint).toBeString()
    }
    for (let round = 0; round < 2_000; round++) {
      const broken = Buffer.from(bytes)
      for (let left = 1 + random.below(6); left > 0; left--)
        broken[random.below(broken.length)] = random.below(256)
      checkPicture(type, broken)
    }
  }
})

test('what one picture says in two ways must be the same', () => {
  expect(checkPicture('webp', extendedWebp(640, 480))).toBeString()
  expect(
    checkPicture('jpeg', Buffer.concat([jpegHeader(9, 9).subarray(0, -2), jpegHeader(9, 8).subarray(2)])),
  ).toBeString()
})
