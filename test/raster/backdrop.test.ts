import { expect, test } from 'bun:test'
import type { Bitmap } from '../../src/raster/bitmap.ts'
import { encodePng } from '../../src/raster/encode-png.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { painter } from '../../src/raster/pixel-canvas.ts'
import type { Layer, Scene } from '../../src/raster/scene.ts'
import { decodePng } from '../support/png-decode.ts'

const widthPx = 120
const heightPx = 63
const emojiBodies = new Map([['dot', '<circle cx="18" cy="18" r="17" fill="#fc0"/>']])
const layers: readonly Layer[] = [
  { kind: 'path', d: 'M0 0L9 30L30 9Z', x: 20, y: 10, scale: 1, fill: '#ff0000', opacity: 0.6 },
  // The emoji overlaps the path, and the others the edges of the picture.
  { kind: 'emoji', name: 'dot', x: 32, y: 14, sidePx: 24 },
  { kind: 'path', d: 'M0 0H60V7H0Z', x: -10.5, y: 58.5, scale: 1, fill: '#0000ff' },
  { kind: 'path', d: 'M0 0H60V7H0Z', x: 90.5, y: -3.5, scale: 1, fill: '#00ff00' },
]

function sceneOf(key: string, defs: string, body: string, above: readonly Layer[]): Scene {
  return { widthPx, heightPx, background: { key, color: '#ffffff', defs, body }, layers: above }
}

const flat = sceneOf(
  'flat',
  '',
  '<path d="M0 0H120V63H0Z" fill="#dde"/><path d="M10 9H70V51H10Z" fill="#456"/>',
  layers,
)

/** The largest difference of any channel. */
function differenceOf(png: Uint8Array, { rows }: Pick<Bitmap, 'rows'>): number {
  const { rgba } = decodePng(png)
  let most = 0
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      for (let channel = 0; channel < 3; channel++) {
        const painted = rows[y * (1 + widthPx * 3) + 1 + x * 3 + channel] ?? 0
        most = Math.max(most, Math.abs((rgba[(y * widthPx + x) * 4 + channel] ?? 0) - painted))
      }
  return most
}

function painted(scene: Scene): Bitmap {
  const bitmap = paintScene(scene, widthPx, { emojiBodies })
  return { ...bitmap, rows: bitmap.rows.slice() }
}

test('a picture over a backdrop is exactly the picture without one, whatever is painted and how often', () => {
  const without = painted(flat)
  for (const _ of ['drawn', 'cached', 'cached again']) {
    const png = encodePng(paintScene(flat, widthPx, { emojiBodies, backgroundColorsMax: 128 }))
    expect(decodePng(png).colorType).toBe(3)
    expect(differenceOf(png, without)).toBe(0)
  }
})

test('what was painted before is not seen through a backdrop', () => {
  paintScene(sceneOf('red', '', '<path d="M0 0H120V63H0Z" fill="#f00"/>', layers), widthPx, { emojiBodies })
  const png = encodePng(paintScene({ ...flat, layers: [] }, widthPx, { backgroundColorsMax: 128 }))
  expect(differenceOf(png, painted({ ...flat, layers: [] }))).toBe(0)
})

/** More colours than a palette has, none of which is like another. */
function noisyAt(x: number, y: number, channel: number): number {
  return Math.abs(Math.sin(x * 12.9898 + y * 78.233 + channel * 37.719) * 43758) & 255
}

test('a backdrop below too many colours becomes truecolour, in all of its pixels', () => {
  const cells = Array.from({ length: 1296 }, (_, cell) => {
    const [x, y] = [cell % 36, Math.floor(cell / 36)]
    const fill = `rgb(${noisyAt(x, y, 0)},${noisyAt(x, y, 1)},${noisyAt(x, y, 2)})`
    return `<path d="M${x} ${y}h1v1h-1z" fill="${fill}"/>`
  })
  const noise = new Map([['dot', cells.join('')]])
  const scene = { ...flat, layers: [{ kind: 'emoji', name: 'dot', x: 10, y: 3, sidePx: 36 } as const] }
  // A canvas begins with what was in its memory, here no filter that PNG has.
  new Uint8Array(painter().memory.buffer, painter().colorsAt()).fill(255)
  const png = encodePng(paintScene(scene, widthPx, { emojiBodies: noise, backgroundColorsMax: 128 }))
  expect(decodePng(png).colorType).toBe(2)
  expect(differenceOf(png, paintScene(scene, widthPx, { emojiBodies: noise }))).toBe(0)
})

/** Pixels that nothing else on these pictures has. */
function noisyLogo(): Layer {
  const side = 30
  const rows = Uint8Array.from({ length: side * (1 + side * 3) }, (_, at) => {
    const column = at % (1 + side * 3)
    return column === 0
      ? 0
      : noisyAt(Math.floor((column - 1) / 3), Math.floor(at / (1 + side * 3)), column % 3)
  })
  const logo = encodePng({ widthPx: side, heightPx: side, channels: 3, rows })
  return { kind: 'picture', key: 'logo', png: logo, x: 8, y: 20, widthPx: side, heightPx: side }
}

test('a logo of pixels keeps all of its colours, whatever is below it', () => {
  const scene = { ...flat, layers: [...layers, noisyLogo()] }
  const png = encodePng(paintScene(scene, widthPx, { emojiBodies, backgroundColorsMax: 128 }))
  expect(differenceOf(png, painted(scene))).toBe(0)
})

test('a logo is seen over a background that cannot be drawn, which is painted in one colour', () => {
  const broken = sceneOf(
    'broken',
    '',
    '<path fill="#ddddee" d="M0 0H90V63Z"/><path fill="#445566" d="M0 N"/>',
    [],
  )
  const options = { emojiBodies, backgroundColorsMax: 128, onFault: () => undefined }
  const png = encodePng(paintScene({ ...broken, layers: [noisyLogo()] }, widthPx, options))
  const plain = sceneOf('plain', '', '<path fill="#ffffff" d="M0 0H120V63H0Z"/>', [noisyLogo()])
  expect(differenceOf(png, painted(plain))).toBe(0)
})
