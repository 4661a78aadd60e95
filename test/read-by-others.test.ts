import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { Resvg } from '@resvg/resvg-js'
import { hasBrowser, openBrowser } from './admin/support/browser.ts'
import { hasXmllint, judge } from './assets/sitemap/look.ts'
import cases from './read-by-others.json' with { type: 'json' }
import { chunk, pngHeader, pngOf } from './support/pictures.ts'
import { startService } from './support/service.ts'
import { started } from './support/started.ts'
import { readBy, readPicture } from './support/strict-readers.ts'
import { isQuick, sampleOf } from './support/test-size.ts'

const server = started(() => startService({ env: { DEMO_DAILY_QUOTA: '1000' } }))

/** The body as it is sent, without the decompression that `fetch` does by itself. */
async function fileAt(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const given = { 'accept-encoding': 'identity', ...headers }
  const answer = await fetch(server.url + path, { headers: given, decompress: false })
  return Buffer.from(await answer.arrayBuffer())
}

/** Pictures of each asset, those of many colours first, so that others are drawn in their memory. */
const drawings = cases.drawings
/** Files that a browser shows, with their media types: each kind of picture, and errors and counters as pictures. */
const pictures = [
  ...Object.values(drawings).flatMap((path) => [`${path}&format=svg`, `${path}&format=png`]),
  ...['jpeg', 'webp'].map((format) => `${drawings.card}&format=${format}`),
  '/api/stats?format=svg',
  '/api/og?format=png&title=&demo=1',
  '/icon.svg',
  '/favicon.ico',
  '/apple-touch-icon.png',
]

test.each(sampleOf(Object.entries(drawings), 7))(
  '%s: libpng reads what resvg draws of the SVG',
  async (name, path) => {
    const svg = await fileAt(`${path}&format=svg`)
    const { width: widthPx, height: heightPx, pixels } = new Resvg(svg.toString()).render()
    const read = await readPicture(await fileAt(`${path}&format=png`))
    expect(read).toMatchObject({ format: 'png', widthPx, heightPx })
    let sum = 0
    for (const [at, value] of read.rgba.entries()) {
      // Colours of resvg are multiplied by their alpha.
      const alpha = at % 4 === 3 ? 255 : (read.rgba[at - (at % 4) + 3] as number)
      sum += Math.abs((value * alpha) / 255 - (pixels[at] as number))
    }
    // The SVG of a badge leaves the letters to a font of the reader.
    expect(sum / pixels.length).toBeLessThan(name.includes('badge') ? 12 : 1)
  },
)

test('every picture is read by the libraries of sharp without a warning, every SVG by xmllint too', async () => {
  for (const path of sampleOf(pictures, 2).filter((each) => !each.endsWith('.ico'))) {
    const bytes = await fileAt(path, { accept: 'image/*' })
    expect((await readPicture(bytes)).widthPx, path).toBeGreaterThan(0)
    if (hasXmllint() && bytes.includes('<svg')) await readBy(['xmllint', '--noout', '--nonet', '-'], bytes)
  }
})

test('the readers that judge us refuse a PNG whose rows begin with no filter, and one with a byte changed', async () => {
  const pixels = Buffer.alloc(10 * 31)
  function png(filter: number) {
    for (let row = 0; row < 10; row++) pixels[row * 31] = filter
    return pngOf(pngHeader(10, 10, 8, 2, 0), chunk('IDAT', deflateSync(pixels)))
  }
  expect((await readPicture(png(4))).widthPx).toBe(10)
  const damaged = Buffer.from(png(0))
  damaged[damaged.length - 20] = 0x5a
  for (const wrong of [png(5), png(255), damaged]) await expect(readPicture(wrong)).rejects.toThrow('libpng')
})

const unpackers = { gzip: 'gzip', br: 'brotli', zstd: 'zstd' }

for (const [coding, command] of Object.entries(unpackers)) {
  test.skipIf(Bun.which(command) === null)(`a body in ${coding} is unpacked by ${command}`, async () => {
    for (const path of [`${drawings.card}&format=svg`, '/', '/openapi.json', '/client.js']) {
      const plain = await fileAt(path)
      const packed = await fileAt(path, { 'accept-encoding': coding })
      expect(packed.equals(plain), path).toBe(false)
      expect((await readBy([command, '-dc'], packed)).equals(plain), path).toBe(true)
    }
  })
}

test('tar lists and unpacks the package of the client, whose files are those that we serve', async () => {
  const archive = await fileAt('/client.tgz')
  // tar wants two blocks of zeros at the end, and complains about one.
  const end = (await readBy(['gzip', '-dc'], archive)).subarray(-1024)
  expect(end.equals(Buffer.alloc(1024))).toBe(true)
  const names = (await readBy(['tar', '-tz'], archive)).toString().trim().split('\n')
  expect(names).toContain('package/package.json')
  expect(names.filter((name) => !name.startsWith('package/') || name.includes('..'))).toEqual([])
  const script = await readBy(['tar', '-xzO', 'package/client/client.js'], archive)
  expect(script.equals(await fileAt('/client.js'))).toBe(true)
})

test.if(hasXmllint())('our own site map is valid', async () => {
  expect(await judge((await fileAt('/sitemap.xml')).toString())).toBe('')
})

describe.skipIf(!hasBrowser || isQuick)('in Chromium', () => {
  const browser = started(openBrowser)

  test('every picture is decoded', async () => {
    const page = await browser.newPage()
    const broken = await page.evaluate(
      async (urls) => {
        const found: string[] = []
        for (const url of urls) {
          const image = new Image()
          image.src = url
          await image.decode().catch(() => found.push(url))
        }
        return found
      },
      pictures.map((path) => server.url + path),
    )
    expect(broken).toEqual([])
  })
})
