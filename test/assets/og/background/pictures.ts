import { hash } from 'node:crypto'
import type { BrandPicture } from '../../../../src/assets/og/brand/brand-images.ts'
import { type Rgb, relativeLuminance } from '../../../../src/lib/color.ts'
import { type Bitmap, rowBytes } from '../../../../src/raster/bitmap.ts'
import { drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodeJpeg } from '../../../../src/raster/encode-lossy.ts'
import { randomFrom } from '../../../support/random.ts'

const cellsPerSide = 16

/** Pictures to cover a background with: bright, dark, busy, saturated, upright, finer than a card's pixels, and plain. */
export async function groundPictures(): Promise<readonly BrandPicture[]> {
  return Promise.all([
    picture(480, 320, { x: 50, y: 50 }, blocks(1, 48, 190, 255)),
    picture(480, 320, { x: 80, y: 20 }, blocks(2, 48, 0, 70)),
    picture(480, 320, { x: 0, y: 100 }, blocks(3, 32, 0, 255)),
    picture(320, 480, { x: 50, y: 0 }, blocks(4, 80, 0, 255)),
    picture(640, 200, { x: 30, y: 70 }, saturated),
    picture(400, 400, { x: 50, y: 50 }, checkerboard),
    picture(300, 300, { x: 50, y: 50 }, '<rect width="300" height="300" fill="#808080"/>'),
  ])
}

/** Pictures of 1:2, 1:1 and 2:1, in the middle of light and dark: scrimmed in one scheme, beside the words in the other. */
export async function proportionedPictures(): Promise<readonly BrandPicture[]> {
  return Promise.all([
    picture(200, 400, { x: 50, y: 50 }, blocks(5, 48, 190, 255)),
    picture(333, 333, { x: 20, y: 90 }, blocks(6, 48, 0, 70)),
    picture(400, 200, { x: 100, y: 0 }, blocks(7, 48, 0, 255)),
  ])
}

async function picture(
  widthPx: number,
  heightPx: number,
  focus: BrandPicture['focus'],
  body: string,
): Promise<BrandPicture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${body}</svg>`
  const bitmap = drawSvg(svg)
  const jpeg = await encodeJpeg(bitmap, 90)
  return { key: hash('sha256', jpeg), widthPx, heightPx, jpeg, focus, grid: gridOf(bitmap) }
}

function gridOf({ rows, widthPx, heightPx }: Bitmap): BrandPicture['grid'] {
  const cells = Array.from({ length: cellsPerSide ** 2 }, () => ({
    min: 1,
    max: 0,
    sum: { r: 0, g: 0, b: 0 },
    count: 0,
  }))
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      const at = y * rowBytes(widthPx, 3) + 1 + x * 3
      const [r = 0, g = 0, b = 0] = rows.subarray(at, at + 3)
      const [column, row] = [x / widthPx, y / heightPx].map((share) => Math.floor(share * cellsPerSide)) as [
        number,
        number,
      ]
      const cell = cells[row * cellsPerSide + column]
      if (cell === undefined) continue
      const light = relativeLuminance({ r, g, b })
      cell.min = Math.min(cell.min, light)
      cell.max = Math.max(cell.max, light)
      cell.sum.r += r
      cell.sum.g += g
      cell.sum.b += b
      cell.count += 1
    }
  return {
    columns: cellsPerSide,
    rows: cellsPerSide,
    cells: cells.map(({ min, max, sum, count }) => ({ min, max, mean: divided(sum, count) })),
  }
}

function divided({ r, g, b }: Rgb, count: number): Rgb {
  return { r: r / count, g: g / count, b: b / count }
}

/** Rectangles of random colours with channels in a range, over a background of its middle. */
function blocks(seed: number, sidePx: number, from: number, to: number): string {
  const random = randomFrom(seed)
  function color() {
    return `rgb(${[0, 0, 0].map(() => from + random.below(to - from + 1)).join()})`
  }
  const middle = Math.round((from + to) / 2)
  const shapes = Array.from(
    { length: 240 },
    () =>
      `<rect x="${random.below(640)}" y="${random.below(480)}" width="${sidePx}" height="${sidePx}" fill="${color()}"/>`,
  )
  return `<rect width="640" height="480" fill="rgb(${middle},${middle},${middle})"/>${shapes.join('')}`
}

const saturated = ['#0000ff', '#00ff00', '#ff0000', '#00ffff', '#ff00ff', '#ffff00', '#ffffff', '#000000']
  .map((fill, index) => `<rect x="${index * 80}" width="80" height="200" fill="${fill}"/>`)
  .join('')

const checkerboard = `<rect width="400" height="400" fill="#fff"/>${Array.from({ length: 100 }, (_, index) => `<rect y="${index * 4}" width="400" height="2"/><rect x="${index * 4}" width="2" height="400" fill="#f00"/>`).join('')}`
