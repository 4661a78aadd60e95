import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { og } from '../../src/assets/og/asset.ts'
import { createOgProducer } from '../../src/assets/og/produce.ts'
import { ogQuery } from '../../src/assets/og/query.ts'
import { allowedValues } from '../../src/lib/fields.ts'
import { areaAverage, type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { svgToPng } from '../../src/raster/draw-svg.ts'
import { drawPicture, logoPixels, paintScene } from '../../src/raster/paint-scene.ts'
import {
  encodePicture,
  formatOfFileName,
  formatOfMediaType,
  pictureFormatNames,
  pictureFormats,
  pixelFormatNames,
} from '../../src/raster/picture-formats.ts'
import { checkPicture, type PictureType, readPictureHeader } from '../../src/raster/picture-headers.ts'
import {
  createMessageReader,
  encodeMessage,
  type PictureReply,
} from '../../src/raster/picture-process/picture-messages.ts'
import { assetPaths } from '../../src/site/openapi/openapi.ts'
import { extendedWebp, gif, jpegHeader, lossless, plainPng, webp } from '../support/pictures.ts'
import { decodePng } from '../support/png-decode.ts'
import { treeBytes, watchTree } from '../support/process-memory.ts'
import { randomFrom } from '../support/random.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { sampleSize } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'
import { hostilePictures } from './support/hostile-pictures.ts'
import { pixel } from './support/pixels.ts'

function blank(widthPx: number, heightPx: number): Bitmap {
  return { widthPx, heightPx, channels: 3, rows: new Uint8Array(rowBytes(widthPx, 3) * heightPx).fill(255) }
}

describe('a picture on a card', () => {
  test('fills its rectangle, and lets the card show where it is transparent', () => {
    const png = svgToPng(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="4" height="8" fill="#f00"/></svg>',
    )
    const bitmap = blank(12, 12)
    const layer = { kind: 'picture', key: 'half', png, x: 2, y: 3, widthPx: 8, heightPx: 8 } as const
    drawPicture(bitmap, logoPixels(layer, 8, 8), 2, 3)
    expect(pixel(bitmap, 2, 3)).toEqual([255, 0, 0])
    expect(pixel(bitmap, 5, 10)).toEqual([255, 0, 0])
    expect(pixel(bitmap, 6, 3)).toEqual([255, 255, 255])
    expect(pixel(bitmap, 1, 3)).toEqual([255, 255, 255])
  })

  test('is cut off at the edge of the card', () => {
    const png = svgToPng(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#00f"/></svg>',
    )
    const bitmap = blank(4, 4)
    const layer = { kind: 'picture', key: 'blue', png, x: -4, y: -4, widthPx: 6, heightPx: 20 } as const
    drawPicture(bitmap, logoPixels(layer, 6, 20), -4, -4)
    expect(pixel(bitmap, 1, 3)).toEqual([0, 0, 255])
    expect(pixel(bitmap, 2, 3)).toEqual([255, 255, 255])
  })

  test('takes every one of its pixels into account where it is made smaller', () => {
    const stripes = Uint8Array.from({ length: 12 * 12 * 4 }, (_, index) =>
      index % 4 === 3 || Math.floor(index / 4) % 2 === 0 ? 255 : 0,
    )
    const { rgba } = areaAverage({ widthPx: 12, heightPx: 12, rgba: stripes }, { widthPx: 3, heightPx: 4 })
    for (let at = 0; at < rgba.length; at += 4)
      expect([...rgba.subarray(at, at + 4)]).toEqual([128, 128, 128, 255])
  })
})

const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="32" fill="#c00"/></svg>`

test('corners of a round avatar stay transparent, its colour exact', () => {
  const { widthPx, rgba } = decodePng(svgToPng(circle))
  expect(widthPx).toBe(64)
  expect(rgba[3]).toBe(0)
  expect([...rgba.subarray((32 * 64 + 32) * 4, (32 * 64 + 32) * 4 + 4)]).toEqual([204, 0, 0, 255])
})

test('zoom multiplies the size', () => {
  const { widthPx, heightPx } = decodePng(svgToPng(circle, 2.5))
  expect([widthPx, heightPx]).toEqual([160, 160])
})

test('the fonts of the machine are never used, so a picture is the same everywhere', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="20"><text y="15" font-family="sans-serif">Ag</text></svg>'
  expect(decodePng(svgToPng(svg)).rgba.every((value) => value === 0)).toBe(true)
})

const cardPaths = JSON.parse(JSON.stringify(assetPaths([og], false)))

describe('what is known of a picture format comes from its row', () => {
  test.each(pictureFormatNames)('%s', async (name) => {
    const { mediaType, extensions } = pictureFormats[name]
    expect(allowedValues(ogQuery.properties.format)).toContain(name)
    const producer = createOgProducer({} as Parameters<typeof createOgProducer>[0])
    expect(producer.describe({ title: 'A', format: name, size: 'og', overflow: 'error' })).toEqual({
      contentType: mediaType,
      filename: `a.${extensions[0]}`,
    })
    expect(formatOfMediaType(`${mediaType}; charset=utf-8`)).toBe(pictureFormats[name])
    for (const extension of extensions) expect(formatOfFileName(`A.b.${extension.toUpperCase()}`)).toBe(name)
    const { schema } = cardPaths['/api/og'].get.responses[200].content[mediaType]
    expect(schema).toEqual({ type: 'string', format: 'binary' })
  })

  test.each(pixelFormatNames)('%s has a path, an encoder, and a reader of what that writes', async (name) => {
    const { extensions, loadEncoder } = pictureFormats[name]
    expect(Object.keys(cardPaths)).toContain(`/api/og.${extensions[0]}`)
    expect(await loadEncoder()).toBeInstanceOf(Function)
    const bitmap = paintScene(exampleCard('term-b').scene, 301)
    const file = await encodePicture(bitmap, { format: name, quality: 82 })
    expect(readPictureHeader(name, file)).toMatchObject({
      widthPx: 301,
      heightPx: 158,
    })
  })

  test('no other file lists media types or extensions of what we make', async () => {
    const own = [
      'src/raster/picture-formats.ts',
      // Formats of uploads, and the formats in which files of a brand are stored.
      'src/raster/picture-headers.ts',
      'src/assets/og/brand/read-upload.ts',
      'src/brands/brand-directory.ts',
      'src/store/brands.ts',
      // Our own JPEG of a brand's picture, as part of an SVG.
      'src/raster/scene.ts',
      // Paths of other services, and links that a crawler does not follow.
      'src/routes/compatibility/compatibility-urls.ts',
      'src/assets/sitemap/crawl-pages.ts',
    ]
    const root = new URL('../../', import.meta.url).pathname
    const found: string[] = []
    for await (const file of new Glob('{src,admin}/**/*.{ts,tsx}').scan(root)) {
      const text = await Bun.file(root + file).text()
      if (/image\/(?:jpeg|webp)\b|jpe\?g|'webp', ?'|'jpe?g', ?'webp'/.test(text) && !own.includes(file))
        found.push(file)
    }
    expect(found).toEqual([])
  })
})

const messages: readonly PictureReply[] = [
  { reply: 'ready' },
  { reply: 'drawn', base64: Buffer.from('a\nb ü').toString('base64'), isOutgrown: true },
  { reply: 'unreadable', isOutgrown: false },
]
const stream = Buffer.from(messages.map(encodeMessage).join(''))

test('messages between processes are read wherever a pipe cuts them', () => {
  for (let bytes = 1; bytes <= stream.length; bytes++) {
    const heard: PictureReply[] = []
    const read = createMessageReader<PictureReply>((message) => heard.push(message))
    for (let at = 0; at < stream.length; at += bytes) read(stream.subarray(at, at + bytes))
    expect(heard).toEqual([...messages])
  }
})

test('what is no message, or never ends, is an error and is not kept', () => {
  const read = createMessageReader(() => undefined)
  expect(() => read(Buffer.from('{"reply":\n'))).toThrow(SyntaxError)
  const endless = createMessageReader(() => undefined)
  const chunk = Buffer.alloc(2 ** 20, 97)
  expect(() => {
    for (let times = 0; times < 10; times++) endless(chunk)
  }).toThrow(RangeError)
})

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

test('a WebP of more chunks than any needs is refused, because reading them all would hold up others', () => {
  const chunks = Buffer.from('XXXX\0\0\0\0'.repeat(70_000), 'latin1')
  expect(checkPicture('webp', webp('VP8L', lossless(9, 9), chunks))).toBeString()
})

/** Memory that the whole process tree may use beyond what it had before the first request, in bytes. */
const growthBytesMax = 150 * 2 ** 20
const together = 4
const pictureCount = sampleSize(600, 24)

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { DEMO_DAILY_QUOTA: '100000' } })
})
afterAll(async () => {
  await server.stop('SIGKILL')
})

interface Answer {
  readonly kind: string
  readonly status: number
  readonly text: string
}

function badgeUrl(logo: string, more: Readonly<Record<string, string>> = {}): string {
  const query = {
    kind: 'badge',
    label: 'a',
    value: 'b',
    format: 'png',
    scale: '4',
    logoWidth: '200',
    demo: '1',
  }
  return `${server.url}/api/transform?${new URLSearchParams({ ...query, ...more, logo })}`
}

async function ask(kind: string, url: string): Promise<Answer> {
  for (;;) {
    const response = await fetch(url)
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    // A busy machine may have no capacity for it yet, and says so.
    if (response.status !== 503 || !text.includes('"code":"busy"'))
      return { kind, status: response.status, text }
  }
}

test('hundreds of hostile pictures cost little memory, none hangs, and each answer is a picture or says what is wrong', async () => {
  const pictures = hostilePictures(12, pictureCount)
  // The first badge loads the text engine, whose memory is not counted as the cost of a picture.
  await ask('warm', badgeUrl('github'))
  const idleBytes = treeBytes(server.process.pid ?? 0)
  const watch = watchTree(server.process.pid ?? 0)
  const answers: Answer[] = []
  const waiting = [...pictures.entries()]
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, { kind, href }] = next
        answers.push(await ask(kind, badgeUrl(href, { label: String(index) })))
      }
    }),
  )
  const peakBytes = watch.stop()
  expect(answers).toHaveLength(pictureCount)
  expect(answers.filter(({ status }) => ![200, 400, 413, 429, 431].includes(status))).toEqual([])
  expect((peakBytes - idleBytes) / 2 ** 20).toBeLessThan(growthBytesMax / 2 ** 20)
})
