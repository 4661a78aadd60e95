import { afterAll, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { CardLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import {
  logoInUrl,
  readLogo,
  readPicture,
  UploadRefused,
  uploadedLogo,
} from '../../../../src/assets/og/brand/read-upload.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { stallMsMax, watchEventLoop } from '../../../support/event-loop-lag.ts'
import {
  chunk,
  extendedWebp,
  frameControl,
  gif,
  jpegHeader,
  lossless,
  many,
  plainPng,
  pngHeader,
  pngOf,
  webp,
  withProfile,
} from '../../../support/pictures.ts'
import { randomFrom } from '../../../support/random.ts'
import cases from './hostile-uploads.json' with { type: 'json' }
import { encoders, exampleLogos, logoSvg, pictureOf } from './support/example-files.ts'

/** Files with changed bytes, of each kind. */
const mutations = 60

let now = 0
// Each file comes a minute later, so that nobody has brought too many.
const pictures = createPictureDrawer({ now: () => (now += 60_000) })
afterAll(() => pictures.close())
const deps = { pictures, client: 'test' }

/** Why a file is refused as a logo; undefined for one that is taken. */
function refusal(reading: Promise<unknown>): Promise<string | undefined> {
  return reading.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UploadRefused) return error.message
      throw error
    },
  )
}

const square = '<path d="M0 0h90v90H0z"/>'
const documentType = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'

test.each([
  ...cases.logos.map(([name = '', body = '', reason = '']) => [name, body, new RegExp(reason)] as const),
  [
    'a document type with entities',
    Buffer.concat([Buffer.from(documentType), logoSvg(square)]),
    /document type/,
  ],
  ['an instruction', Buffer.concat([Buffer.from('<?php echo 1 ?>'), logoSvg(square)]), /document type/],
  [
    'uses of uses',
    `<g id="u0">${square}</g>${many(20, (i) => `<g id="u${i + 1}"><use href="#u${i}"/><use href="#u${i}"/></g>`)}`,
    /inside each other/,
  ],
  [
    'uses of much',
    `<g id="a">${many(100, () => '<path d="M0 0h1z"/>')}</g>${many(200, () => '<use href="#a"/>')}`,
    /too much/,
  ],
  ['many elements', many(2500, () => '<g/>'), /at most 2000 elements/],
  ['deep groups', many(60, () => '<g>') + square + many(60, () => '</g>'), /inside each other/],
  [
    'growing transformations',
    `${many(5, () => '<g transform="scale(99999)">')}${square}${many(5, () => '</g>')}`,
    /too large/,
  ],
  [
    'uses of uses side by side',
    `<g id="u0">${square}</g>${many(9, (i) => `<g id="u${i + 1}">${many(5, () => `<use href="#u${i}"/>`)}</g>`)}`,
    /too much/,
  ],
  ['an empty view box', logoSvg(square, 'viewBox="0 0 0 0"'), /view box without an area/],
  ['other bytes than UTF-8', Buffer.concat([logoSvg(square), Buffer.from([0xff])]), /UTF-8/],
  ['an SVG within a PNG', Buffer.concat([plainPng(9, 9), logoSvg(square)]), /other data behind the picture/],
] as const)('as a logo %s is refused with the reason', async (_, file, reason) => {
  const bytes = typeof file === 'string' ? logoSvg(file) : file
  expect(await refusal(readLogo(bytes, uploadedLogo, deps))).toMatch(reason)
})

const animated = pngOf(
  pngHeader(20, 20, 1, 0, 0),
  chunk('acTL', Buffer.alloc(8, 1)),
  chunk('fcTL', frameControl(20, 20)),
  chunk('fcTL', frameControl(20, 20)),
  chunk('IDAT', deflateSync(Buffer.alloc(80))),
)
const archive = Buffer.from('PK\x03\x04 and more of an archive', 'latin1')

test.each([
  ['a bomb of pixels', plainPng(30_000, 30_000, 1, 0), /at most 4 megapixels/],
  ['a JPEG that lies about its size', jpegHeader(65_500, 65_500), /at most 4 megapixels/],
  ['a WebP that lies about its size', webp('VP8L', lossless(16_384, 16_384)), /at most 4 megapixels/],
  ['a WebP that contradicts itself', extendedWebp(10, 10), /headers are damaged/],
  ['many scans', jpegHeader(2_000, 2_000, 0xc2, 400), /too many frames or passes/],
  ['nothing but headers', jpegHeader(200, 200), /cannot be decoded/],
  ['a PNG that moves', animated, /is animated/],
  ['a GIF', gif(9, 9, [[9, 9]]), /must be JPEG, PNG or WebP/],
  ['a PNG that is cut off', plainPng(100, 100).subarray(0, 70), /headers are damaged/],
  ['a PNG without its end', plainPng(100, 100).subarray(0, -4), /cut off/],
  ['an archive behind a PNG', Buffer.concat([plainPng(100, 100), archive]), /other data behind the picture/],
  [
    'a page behind a JPEG',
    Buffer.concat([jpegHeader(99, 99), Buffer.from('<html>')]),
    /other data behind the picture/,
  ],
  ['pixels that are all transparent', plainPng(40, 40, 8, 6), /shows nothing/],
])('as a picture %s is refused with the reason', async (_, bytes, reason) => {
  expect(await refusal(readPicture(bytes, deps))).toMatch(reason)
})

/** A PNG with 30 MB behind its pixels, in one chunk or several. */
function bombOfData(widthPx: number, heightPx: number, interlace: number, chunks: number): Buffer {
  const data = deflateSync(Buffer.alloc((widthPx * 3 + 1) * heightPx + 30_000_000), { level: 9 })
  const step = Math.ceil(data.length / chunks)
  const pieces = Array.from({ length: chunks }, (_, index) => data.subarray(index * step, (index + 1) * step))
  return pngOf(pngHeader(widthPx, heightPx, 8, 2, interlace), ...pieces.map((piece) => chunk('IDAT', piece)))
}

test.each([
  [0, 1],
  [1, 1],
  [0, 50],
  [0, 2_000],
])(
  'a PNG whose pixels unpack to more than its size needs is refused (interlace %i, %i chunks)',
  async (interlace, chunks) => {
    const bomb = bombOfData(60, 60, interlace, chunks)
    expect(await refusal(readPicture(bomb, deps))).toMatch(/cannot be decoded/)
    expect(await refusal(readLogo(bomb, uploadedLogo, deps))).toMatch(/cannot be decoded/)
  },
)

test('a picture in tens of thousands of chunks of a byte is read within its bounds', async () => {
  const random = randomFrom(4)
  const rows = Uint8Array.from({ length: 301 * 200 }, (_, at) => (at % 301 === 0 ? 0 : random.below(256)))
  const pieces = Array.from(deflateSync(rows), (byte) => chunk('IDAT', Buffer.of(byte)))
  expect(pieces.length).toBeGreaterThan(50_000)
  const picture = pngOf(pngHeader(100, 200, 8, 2, 0), ...pieces)
  expect(await refusal(readPicture(picture, deps))).toBeUndefined()
})

test('a profile that unpacks to much is never unpacked', async () => {
  const bomb = withProfile(deflateSync(Buffer.alloc(30_000_000), { level: 9 }))
  // Taken or refused: what is looked at is that the process lives on for the next picture.
  await refusal(readPicture(bomb, deps))
  expect(await refusal(readPicture(plainPng(60, 60), deps))).toBeUndefined()
})

test('a JPEG that is cut off is refused, and the second picture that a phone puts behind one is left out', async () => {
  const jpeg = await encoders.jpeg(pictureOf(80, 60, (x) => [x, 90, 200]))
  expect(await refusal(readPicture(jpeg.subarray(0, -40), deps))).toBe('is cut off')
  const two = await readPicture(Buffer.concat([jpeg, jpeg]), deps)
  expect(two.key).toBe((await readPicture(jpeg, deps)).key)
})

test('files with changed bytes are refused or become files of ours, and the process lives on', async () => {
  const random = randomFrom(99)
  const picture = pictureOf(60, 40, (x, y) => [x * 4, y * 6, 120])
  const kinds = [
    await encoders.png(picture),
    await encoders.jpeg(picture),
    await encoders.webp(picture),
    logoSvg(exampleLogos['icon with strokes'] ?? ''),
    logoSvg(exampleLogos['classes in a style sheet'] ?? ''),
  ]
  const wrong: string[] = []
  for (const [kind, bytes] of kinds.entries()) {
    for (let index = 0; index < mutations; index++) {
      const changed = Buffer.from(bytes)
      for (let times = 0; times < 1 + random.below(4); times++)
        changed[random.below(changed.length)] = random.below(256)
      const logo: CardLogo | string = await readLogo(changed, logoInUrl, deps).catch((error: unknown) => {
        if (error instanceof UploadRefused) return error.message
        throw error
      })
      if (typeof logo === 'string') {
        if (logo.length > 160) wrong.push(`${kind}: ${logo}`)
      } else if (!isSafe(logo)) wrong.push(`${kind}: ${hash('sha256', changed)}`)
    }
  }
  expect(wrong).toEqual([])
})

function isSafe(logo: CardLogo): boolean {
  if (logo.kind === 'pixels') return Buffer.from(logo.png.subarray(1, 4)).toString() === 'PNG'
  return logo.shapes.every(
    ({ d, fill }) => /^[-MLCZ\d. ]+$/.test(d) && /^#[\da-f]{6}$/.test(fill) && !d.includes('NaN'),
  )
}

test('reading the largest logo and picture does not hold up the server', async () => {
  const curves = many(4_000, (i) => `c${i % 7} 3 ${-(i % 5)} -3 ${(i % 3) - 1} ${i % 2}`)
  const hostile = [
    logoSvg(`<path d="M50 50${curves}" fill="none" stroke="#000" stroke-width="9" stroke-linejoin="round"/>`),
    logoSvg(
      `<g fill-rule="evenodd">${many(1_500, (i) => `<path d="M${i % 90} 0h9v9h-9zm2 2v5h5v-5z"/>`)}</g>`,
    ),
    logoSvg(`<path fill-rule="evenodd" d="${many(2_500, (i) => `M${i % 90} ${i % 70}h9v9h-9z`)}"/>`),
    logoSvg(many(1_400, (i) => `<circle cx="${i % 90}" cy="9" r="4" stroke="red"/>`)),
  ]
  for (const bytes of hostile) {
    expect(bytes.length).toBeLessThan(65_536)
    const { stallMs } = await watchEventLoop(() => refusal(readLogo(bytes, uploadedLogo, deps)))
    expect(stallMs).toBeLessThan(stallMsMax)
  }
  const large = await encoders.jpeg(pictureOf(1_200, 900, (x, y) => [x & 255, y & 255, 90]))
  const { stallMs, turns } = await watchEventLoop(() => refusal(readPicture(large, deps)))
  expect(stallMs).toBeLessThan(stallMsMax)
  expect(turns).toBeGreaterThan(5)
})
