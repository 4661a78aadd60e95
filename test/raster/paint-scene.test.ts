import { describe, expect, test } from 'bun:test'
import { Resvg } from '@resvg/resvg-js'
import { type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import type { Scene } from '../../src/raster/scene.ts'
import { sampleOf } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'

const square = new Map([['square', '<path fill="#f00" d="M0 0h36v36H0z"/>']])
const white: Scene = {
  widthPx: 1200,
  heightPx: 630,
  background: { key: 'white', color: '#ffffff', defs: '', body: '<path fill="#fff" d="M0 0h1200v630H0z"/>' },
  layers: [],
}

function pixel({ rows, widthPx }: Bitmap, x: number, y: number) {
  const at = y * rowBytes(widthPx, 3) + 1 + x * 3
  return [...rows.subarray(at, at + 3)]
}

describe('a painted scene is the picture that its SVG shows', () => {
  const names = ['aurora-b', 'grid-b', 'paper-b', 'poster-b', 'term-b', 'hi-paper', 'ar-aurora', 'ja-paper']
  for (const name of sampleOf(names, 3)) {
    test(name, () => {
      const { svg, scene } = exampleCard(name)
      const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render()
      const painted = paintScene(scene, 1200)
      let sum = 0
      for (let i = 0; i < 1200 * 630; i++) {
        const to = i * 3 + Math.floor(i / 1200) + 1
        for (let channel = 0; channel < 3; channel++)
          sum += Math.abs((pixels[i * 4 + channel] ?? 0) - (painted.rows[to + channel] ?? 0))
      }
      expect(sum / (1200 * 630 * 3)).toBeLessThan(0.3)
    })
  }
})

test('the height follows 1200:630, rounded, at every width', () => {
  const { scene } = exampleCard('paper-b')
  for (const [width, height] of [
    [300, 158],
    [1200, 630],
    [1201, 631],
    [2400, 1260],
  ] as const) {
    const { widthPx, heightPx, rows } = paintScene(scene, width)
    expect([widthPx, heightPx, rows.length]).toEqual([width, height, rowBytes(width, 3) * height])
  }
})

test('a cached background is the background, untouched by the words of earlier cards', () => {
  const { scene } = exampleCard('aurora-b')
  const first = paintScene({ ...scene, background: { ...scene.background, key: 'fresh' } }, 1200).rows.slice()
  const again = paintScene({ ...scene, background: { ...scene.background, key: 'fresh' } }, 1200)
  expect(Buffer.from(again.rows).equals(first)).toBe(true)
})

test('emoji are drawn at their place and cut at the border', () => {
  const layers = [
    { kind: 'emoji', name: 'square', x: 100, y: 50, sidePx: 20 },
    { kind: 'emoji', name: 'square', x: -10, y: 620, sidePx: 20 },
    { kind: 'emoji', name: 'square', x: 1190, y: -10, sidePx: 20 },
  ] as const
  const painted = paintScene({ ...white, layers }, 1200, { emojiBodies: square })
  const [red, plain] = [
    [255, 0, 0],
    [255, 255, 255],
  ]
  expect([pixel(painted, 100, 50), pixel(painted, 119, 69), pixel(painted, 120, 69)]).toEqual([
    red,
    red,
    plain,
  ])
  expect([pixel(painted, 0, 620), pixel(painted, 9, 629), pixel(painted, 10, 629)]).toEqual([red, red, plain])
  expect([pixel(painted, 1190, 0), pixel(painted, 1199, 9), pixel(painted, 1199, 10)]).toEqual([
    red,
    red,
    plain,
  ])
})

test('a part that cannot be painted is left out and named, and thrown where nobody hears of it', () => {
  const broken = {
    ...white,
    background: { key: 'broken', color: '#102030', defs: '<g', body: '' },
    layers: [
      { kind: 'emoji', name: 'nobody', x: 0, y: 0, sidePx: 9 },
      { kind: 'path', d: 'M0 NaN', x: 0, y: 0, scale: 1, fill: '#ff0000' },
      { kind: 'path', d: 'M0 0h9v9h-9z', x: 4, y: 4, scale: 1, fill: '#ff0000' },
    ],
  } as const
  const faults: string[] = []
  const painted = paintScene(broken, 1200, { onFault: (fault) => faults.push(fault) })
  expect(faults).toEqual([
    expect.stringMatching(/^background: /),
    expect.stringMatching(/^emoji: .*nobody/),
    expect.stringMatching(/^path: /),
  ])
  expect([pixel(painted, 0, 0), pixel(painted, 8, 8), pixel(painted, 1199, 629)]).toEqual([
    [0x10, 0x20, 0x30],
    [255, 0, 0],
    [0x10, 0x20, 0x30],
  ])
  expect(painted.rows[rowBytes(1200, 3)]).toBe(0)
  expect(() => paintScene({ ...white, layers: broken.layers }, 1200)).toThrow('nobody')
})

test('a pixel that nothing covers, or only in part, has the colour below the background', () => {
  const body = '<path fill="#f00" d="M0 0h600.5v630H0z"/>'
  const half = { ...white, background: { key: 'half', color: '#102030', defs: '', body } }
  const painted = paintScene(half, 1200)
  expect([pixel(painted, 599, 5), pixel(painted, 601, 5)]).toEqual([
    [255, 0, 0],
    [0x10, 0x20, 0x30],
  ])
  const [red = 0] = pixel(painted, 600, 5)
  expect(red > 0x10 && red < 255).toBe(true)
})

test('cells of pixels of a background have their mean colour, those at the edges too', () => {
  const pixels = [
    [10, 0, 0],
    [30, 0, 8],
    [100, 1, 2],
    [20, 0, 0],
    [40, 0, 8],
    [200, 3, 4],
    [7, 1, 1],
    [9, 1, 3],
    [60, 60, 60],
  ]
  const squares = pixels.map(
    (color, at) => `<path fill="rgb(${color})" d="M${at % 3} ${Math.floor(at / 3)}h1v1h-1z"/>`,
  )
  const background = { key: 'nine', color: '#ffffff', defs: '', body: squares.join('') }
  const scene = { widthPx: 3, heightPx: 3, background, layers: [] }
  expect([...paintScene(scene, 3, { backgroundCellPx: 2 }).rows]).toEqual(
    [
      [0, 25, 0, 4, 25, 0, 4, 150, 2, 3],
      [0, 25, 0, 4, 25, 0, 4, 150, 2, 3],
      [0, 8, 1, 2, 8, 1, 2, 60, 60, 60],
    ].flat(),
  )
})
