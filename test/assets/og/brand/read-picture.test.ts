import { afterAll, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { findFocus } from '../../../../src/assets/og/brand/brand-images.ts'
import { UploadRefused, uploadedPicture } from '../../../../src/assets/og/brand/read-upload.ts'
import { drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodeJpeg } from '../../../../src/raster/encode-lossy.ts'
import { readPictureHeader } from '../../../../src/raster/picture-headers.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { randomFrom } from '../../../support/random.ts'
import { sampleOf, slowTest } from '../../../support/test-size.ts'
import cases from './read-picture.json' with { type: 'json' }
import {
  decodeJpeg,
  encoders,
  pictureOf,
  readPictureInTurn,
  withOrientation,
} from './support/example-files.ts'

const pictures = createPictureDrawer()
afterAll(() => pictures.close())

function read(bytes: Uint8Array) {
  return readPictureInTurn(bytes, pictures)
}

/** Black on the left, white on the right. */
function halves(widthPx: number, heightPx: number) {
  return pictureOf(widthPx, heightPx, (x) => (x < widthPx / 2 ? [0, 0, 0] : [255, 255, 255]))
}

test.each(sampleOf(['jpeg', 'png', 'webp'] as const, 2))(
  'a %s becomes a JPEG of ours, with how light it is where',
  async (format) => {
    const { jpeg, widthPx, heightPx, key, grid } = await read(await encoders[format](halves(640, 320)))
    expect(readPictureHeader('jpeg', jpeg)).toMatchObject({
      widthPx: 640,
      heightPx: 320,
      endsAt: jpeg.length,
    })
    expect([widthPx, heightPx, key]).toEqual([640, 320, hash('sha256', jpeg)])
    expect([grid.columns, grid.rows, grid.cells.length]).toEqual([16, 16, 256])
    expect(grid.cells[0]?.max).toBeLessThan(0.01)
    expect(grid.cells[15]?.min).toBeGreaterThan(0.98)
    expect(grid.cells[15]?.mean.r).toBeGreaterThan(253)
  },
)

slowTest('a large picture is made as small as cards need it', async () => {
  const { widthPx, heightPx } = await read(await encoders.jpeg(halves(3000, 1000)))
  expect([widthPx, heightPx]).toEqual([2000, 667])
})

/** Where black and grey, which lie in the upper corners, are once a picture of 120 by 80 is turned, in quarters. */
const upright = cases.upright

test.each(sampleOf([6, 1, 2, 3, 4, 5, 7, 8], 4))(
  'a picture of orientation %i is turned upright',
  async (orientation) => {
    const picture = pictureOf(120, 80, (x, y) => Array(3).fill(y >= 40 ? 255 : x < 60 ? 0 : 128))
    const jpeg = await encoders.jpeg(picture)
    const background = await read(withOrientation(jpeg, orientation, orientation % 2 === 0))
    const { widthPx, heightPx } = background
    expect([widthPx, heightPx]).toEqual(orientation > 4 ? [80, 120] : [120, 80])
    const rgba = decodeJpeg(background.jpeg, widthPx, heightPx)
    const quarters = [0.25, 0.75].flatMap((v) =>
      [0.25, 0.75].map((u) => rgba[(Math.round(v * heightPx) * widthPx + Math.round(u * widthPx)) * 4] ?? -1),
    )
    for (const [index, value] of quarters.entries())
      expect(Math.abs(value - (upright[orientation - 1]?.[index] ?? 0))).toBeLessThan(12)
  },
)

test('transparent pixels lie on white', async () => {
  const { grid } = await read(await encoders.png(pictureOf(64, 64, () => [255, 0, 0, 128])))
  expect(grid.cells[0]?.mean.g).toBeWithin(120, 135)
  expect(grid.cells[0]?.mean.r).toBeGreaterThan(250)
})

test.each([
  ['nothing', Buffer.alloc(0), 'is empty'],
  ['a byte too much', Buffer.alloc(uploadedPicture.bytesMax + 1), 'must have at most 1048576 bytes'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be JPEG, PNG or WebP'],
  ['a GIF', Buffer.from('GIF89a'), 'must be JPEG, PNG or WebP'],
])('%s is refused with the reason', async (_, bytes, reason) => {
  await expect(read(bytes)).rejects.toThrow(new UploadRefused(reason))
})

test('a picture that is as we store it stays as it is, however often it is brought again', async () => {
  const random = randomFrom(8)
  const grain = pictureOf(300, 200, (x, y) => [random.below(120), (x + random.below(60)) & 255, y])
  const first = await read(await encoders.jpeg(grain))
  const again = await read(first.jpeg)
  expect([again.key, again.grid]).toEqual([first.key, first.grid])
})

test('a file that carries anything but its pixels is encoded again, though it begins as ours do', async () => {
  const { jpeg } = await read(await encoders.jpeg(halves(64, 48)))
  const scan = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xda)
  const comment = [0xff, 0xfe, 0, 6, 60, 98, 62, 33]
  const changed = {
    'a comment before the scan': [...jpeg.subarray(0, scan), ...comment, ...jpeg.subarray(scan)],
    'a restart in the scan': [...jpeg.subarray(0, -2), 0xff, 0xd0, ...jpeg.subarray(-2)],
    'zeros behind the end': [...jpeg, 0, 0, 0],
  }
  for (const [name, bytes] of Object.entries(changed)) {
    const given = Uint8Array.from(bytes)
    const kept = await read(given).then(
      (picture) => Buffer.from(picture.jpeg).equals(given),
      (error) => (error instanceof UploadRefused ? false : Promise.reject(error)),
    )
    expect([name, kept]).toEqual([name, false])
  }
})

const face =
  '<path d="M-95 210q0-110 95-110t95 110z" fill="#27496d"/><ellipse cy="-8" rx="78" ry="92" fill="#3a2417"/><ellipse cy="10" rx="62" ry="70" fill="#d9a27e"/><circle cx="-24" r="6"/><circle cx="24" r="6"/><path d="M-22 46q22 18 44 0" stroke="#8a3c2c" stroke-width="6" fill="none"/>'
const ladybird =
  '<circle r="70" fill="#c81d11"/><circle cx="-25" cy="-20" r="14"/><circle cx="20" cy="25" r="14"/>'
const bottle =
  '<rect x="-100" y="-180" width="200" height="360" rx="40" fill="#1769aa"/><rect x="-70" y="-90" width="140" height="110" fill="#fff"/>'

/** A subject on a background of soft spots in a few colours. */
async function focusIn(subject: string, x: number, y: number, colors: readonly string[]) {
  const random = randomFrom(9)
  const spots = Array.from(
    { length: 50 },
    () =>
      `<circle cx="${random.below(1200)}" cy="${random.below(800)}" r="${40 + random.below(120)}" fill="${colors[random.below(colors.length)]}" fill-opacity=".35"/>`,
  )
  const body = `<rect width="1200" height="800" fill="${colors[0]}"/>${spots.join('')}<g transform="translate(${x} ${y})">${subject}</g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">${body}</svg>`
  const { grid } = await read(await encodeJpeg(drawSvg(svg), 85))
  return findFocus(grid)
}

test.each([
  ['a face at the end', face, 900, 330, ['#7d8a80', '#5f6f66', '#98a79a', '#6c7c8a']],
  ['a face at the start', face, 260, 360, ['#e9e4da', '#dcd3c2', '#f4efe6', '#cfc8bb']],
  ['a face near the foot', face, 620, 580, ['#263240', '#1c2733', '#33475b', '#2a3b33']],
  ['a ladybird in grass', ladybird, 930, 370, ['#3d6b1f', '#2f5817', '#5a8a2e', '#6fa03a']],
  ['a bottle on white', bottle, 400, 430, ['#f6f6f6', '#f0f0f0']],
])('the focus that is found in a picture is near %s', async (_, subject, x, y, colors) => {
  const focus = await focusIn(subject, x, y, colors)
  expect(Math.abs(focus.x - x / 12)).toBeLessThan(9)
  expect(Math.abs(focus.y - y / 8)).toBeLessThan(14)
})

test('a picture of one colour has its focus in the middle', async () => {
  expect(await focusIn('', 0, 0, ['#48699b'])).toEqual({ x: 50, y: 50 })
})
