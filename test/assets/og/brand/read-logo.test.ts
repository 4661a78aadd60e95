import { afterAll, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import type { CardLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import {
  logoInUrl,
  readLogo,
  UploadRefused,
  uploadedLogo,
} from '../../../../src/assets/og/brand/read-upload.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { writeShapesSvg } from '../../../../src/svg/shapes-svg.ts'
import golden from '../../../golden/logos.json' with { type: 'json' }
import { chunk } from '../../../support/pictures.ts'
import { decodePng } from '../../../support/png-decode.ts'
import {
  compareDrawings,
  drawOnWhite,
  encoders,
  exampleLogos,
  logoSvg,
  pictureOf,
} from './support/example-files.ts'

const pictures = createPictureDrawer()
afterAll(() => pictures.close())

function read(bytes: Uint8Array, rules: Parameters<typeof readLogo>[1] = logoInUrl): Promise<CardLogo> {
  return readLogo(bytes, rules, { pictures, client: 'test' })
}

/** A red disc of 100 by 50 px in a transparent picture of 400 by 300. */
const redOval = pictureOf(400, 300, (x, y) =>
  Math.hypot((x - 199.5) / 50, (y - 149.5) / 25) < 1 ? [221, 0, 0, 255] : [0, 0, 0, 0],
)

test('an SVG of filled shapes becomes shapes, without its margins and with its one colour', async () => {
  const logo = await read(logoSvg('<rect x="20" y="30" width="40" height="20" fill="red"/>'))
  expect(logo).toEqual({
    kind: 'shapes',
    key: expect.stringMatching(/^[0-9a-f]{64}$/),
    width: 1000,
    height: 500,
    shapes: [{ d: 'M0 0L1000 0L1000 500L0 500Z', fill: '#ff0000' }],
    singleColor: '#ff0000',
  })
})

test('an SVG whose shapes reach the edges of its view box keeps it', async () => {
  const logo = await read(logoSvg('<circle cx="50" cy="50" r="49.5"/>'))
  expect(logo).toMatchObject({ width: 1000, height: 1000 })
})

test('an SVG that needs more than shapes becomes pixels', async () => {
  const gradient =
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
  const logo = await read(logoSvg(`${gradient}<rect x="10" y="40" width="80" height="20" fill="url(#g)"/>`))
  if (logo.kind !== 'pixels') throw new Error(logo.kind)
  expect([logo.widthPx, logo.heightPx]).toEqual([512, 129])
  const { widthPx, heightPx, rgba } = decodePng(logo.png)
  expect([widthPx, heightPx]).toEqual([512, 129])
  expect(rgba[0]).toBeGreaterThan(240)
  expect(rgba[4 * 511 + 2]).toBeGreaterThan(240)
})

test('a PNG loses its transparent margins', async () => {
  const logo = await read(await encoders.png(redOval))
  if (logo.kind !== 'pixels') throw new Error(logo.kind)
  expect([logo.widthPx, logo.heightPx]).toEqual([100, 50])
  const { rgba } = decodePng(logo.png)
  const middle = (25 * 100 + 50) * 4
  expect([...rgba.subarray(middle, middle + 4)]).toEqual([221, 0, 0, 255])
  expect(rgba[3]).toBe(0)
})

test.each(['jpeg', 'webp'] as const)('a %s becomes a PNG', async (format) => {
  const logo = await read(await encoders[format](pictureOf(60, 40, () => [0, 128, 255])))
  if (logo.kind !== 'pixels') throw new Error(logo.kind)
  const { widthPx, heightPx, rgba } = decodePng(logo.png)
  expect([logo.widthPx, logo.heightPx, widthPx, heightPx]).toEqual([60, 40, 60, 40])
  for (const [index, value] of [0, 128, 255].entries())
    expect(Math.abs((rgba[index] ?? 0) - value)).toBeLessThan(8)
})

test('a large picture is made smaller by taking means', async () => {
  const stripes = pictureOf(1600, 800, (x) => (x % 2 === 0 ? [0, 0, 0] : [255, 255, 255]))
  const logo = await read(await encoders.png(stripes), uploadedLogo)
  if (logo.kind !== 'pixels') throw new Error(logo.kind)
  const { widthPx, heightPx, rgba } = decodePng(logo.png)
  expect([widthPx, heightPx]).toEqual([512, 256])
  const reds = rgba.filter((_, at) => at % 4 === 0)
  expect(Math.min(...reds)).toBeGreaterThan(80)
  expect(Math.max(...reds)).toBeLessThan(175)
})

test('a picture is never passed on: what stands in it beside its pixels is gone', async () => {
  const png = Buffer.from(await encoders.png(redOval))
  const words = chunk('tEXt', Buffer.from('Comment\0secret words'))
  const logo = await read(Buffer.concat([png.subarray(0, 33), words, png.subarray(33)]))
  expect(logo.kind === 'pixels' && Buffer.from(logo.png).includes('secret')).toBe(false)
})

test.each([
  ['nothing', Buffer.alloc(0), 'is empty'],
  ['a byte too much', Buffer.alloc(8193, 60), 'must have at most 8192 bytes'],
  ['words', Buffer.from('hello'), 'must be SVG, PNG, JPEG or WebP'],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'must be SVG, PNG, JPEG or WebP'],
  ['HTML', Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'), 'must be an SVG document'],
  ['no drawing', logoSvg(''), 'shows nothing'],
  [
    'a drawing without an area',
    logoSvg('<path d="M5 5L90 90"/><rect width="0" height="9"/>'),
    'shows nothing',
  ],
])('%s is refused with the reason', async (_, bytes, reason) => {
  await expect(read(bytes)).rejects.toThrow(new UploadRefused(reason))
})

async function readShapes(body: string) {
  const logo = await read(logoSvg(body), uploadedLogo)
  if (logo.kind !== 'shapes') throw new Error(logo.kind)
  return logo
}

test.each(Object.entries(golden))('a stored logo is what it was: %s', async (name, stored) => {
  const svg = writeShapesSvg(await readShapes(exampleLogos[name] ?? ''))
  const { mean, farShare } = compareDrawings(drawOnWhite(stored, 200), drawOnWhite(svg, 200))
  expect(mean).toBeLessThan(0.2)
  expect(farShare).toBe(0)
})

test.each([
  'star that crosses itself',
  'nested transforms',
  'symbol',
  'rules by name, class and id',
] as const)('a stored logo of lines is what it was, to the letter: %s', async (name) => {
  expect(writeShapesSvg(await readShapes(exampleLogos[name] ?? ''))).toBe(golden[name])
})

test('shapes are written as they are read: absolute lines and curves with one decimal', async () => {
  const logo = await readShapes(
    '<circle cx="50" cy="50" r="30" fill="none" stroke="#06c" stroke-width="20"/>',
  )
  expect([logo.width, logo.height, logo.singleColor]).toEqual([1000, 1000, '#0066cc'])
  expect(logo.shapes.map(({ d }) => d.match(/[MZ]/g)?.join(''))).toEqual(['MZMZ'])
  expect(logo.shapes[0]?.d).toMatch(/^(?:[MLCZ]|-?\d+(?:\.\d)?| )+$/)
  expect(hash('sha256', JSON.stringify([{ width: 1000, height: 1000 }, logo.shapes]))).toBe(logo.key)
})
