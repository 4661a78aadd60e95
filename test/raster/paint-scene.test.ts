import { describe, expect, test } from 'bun:test'
import { Resvg } from '@resvg/resvg-js'
import { type CardParams, createCardRenderer } from '../../src/assets/og/card-renderer.ts'
import { flatShapes } from '../../src/raster/background.ts'
import { rowBytes } from '../../src/raster/bitmap.ts'
import { drawPremultiplied } from '../../src/raster/draw-svg.ts'
import { encodePng } from '../../src/raster/encode-png.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { fillPath, startCanvas } from '../../src/raster/pixel-canvas.ts'
import { type Background, backgroundSvg, type PathLayer, type Scene } from '../../src/raster/scene.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { decodePng } from '../support/png-decode.ts'
import { sampleOf } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'
import cases from './paint-scene.json' with { type: 'json' }
import shapesTable from './shapes.json' with { type: 'json' }
import { meanDistance, pixel, rgbOf, withoutAlpha } from './support/pixels.ts'

const square = new Map([['square', '<path fill="#f00" d="M0 0h36v36H0z"/>']])
const white: Scene = {
  widthPx: 1200,
  heightPx: 630,
  background: { key: 'white', color: '#ffffff', defs: '', body: '<path fill="#fff" d="M0 0h1200v630H0z"/>' },
  layers: [],
}

describe('a painted scene is the picture that its SVG shows', () => {
  const names = ['aurora-b', 'grid-b', 'paper-b', 'poster-b', 'term-b', 'hi-paper', 'ar-aurora', 'ja-paper']
  for (const name of sampleOf(names, 3)) {
    test(name, () => {
      const { svg, scene } = exampleCard(name)
      const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render()
      expect(meanDistance(withoutAlpha(pixels), rgbOf(paintScene(scene, 1200)))).toBeLessThan(0.3)
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
  const places = '100:50 119:69 0:620 9:629 1190:0 1199:9 120:69 10:629 1199:10'.split(' ')
  const colors = places.map((place) => pixel(painted, ...(place.split(':').map(Number) as [number, number])))
  expect(colors.map(String)).toEqual([...Array(6).fill('255,0,0'), ...Array(3).fill('255,255,255')])
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
  const expected = [
    [0x10, 0x20, 0x30],
    [255, 0, 0],
    [0x10, 0x20, 0x30],
  ]
  expect([pixel(painted, 0, 0), pixel(painted, 8, 8), pixel(painted, 1199, 629)]).toEqual(expected)
  expect(painted.rows[rowBytes(1200, 3)]).toBe(0)
  expect(() => paintScene({ ...white, layers: broken.layers }, 1200)).toThrow('nobody')
})

test('a pixel that nothing covers, or only in part, has the colour below the background', () => {
  const body = '<path fill="#f00" d="M0 0h600.5v630H0z"/>'
  const half = { ...white, background: { key: 'half', color: '#102030', defs: '', body } }
  const painted = paintScene(half, 1200)
  const expected = [
    [255, 0, 0],
    [0x10, 0x20, 0x30],
  ]
  expect([pixel(painted, 599, 5), pixel(painted, 601, 5)]).toEqual(expected)
  const [red = 0] = pixel(painted, 600, 5)
  expect(red > 0x10 && red < 255).toBe(true)
})

test('cells of pixels of a background have their mean colour, those at the edges too', () => {
  const pixels = cases.pixels
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

const cards = createCardRenderer(createTextEngine())
const flatShapesSquare = '<path fill="#112233" d="M0 0h9v9h-9z"/>'

function backgroundOf(body: string, defs = ''): Background {
  return { key: `${defs}${body}`, color: '#ffffff', defs, body }
}

/** The channels of a scene's background, in a palette of 128 colours or in all that it has. */
function paintedPixels(scene: Scene, widthPx: number, backgroundColorsMax?: number): Uint8Array {
  return decodePng(encodePng(paintScene({ ...scene, layers: [] }, widthPx, { backgroundColorsMax }))).rgba
}

function resvgPixels({ background, widthPx, heightPx }: Scene, width: number, height: number): Uint8Array {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  return drawPremultiplied(`${head}${backgroundSvg(background)}</svg>`, background.color).pixels
}

describe('a background that our own filler paints is the one that resvg draws, but for edges', () => {
  const looks = cases.looks as readonly CardParams[]
  for (const params of sampleOf(looks, 4))
    for (const widthPx of [1200, 501])
      for (const colorsMax of [undefined, 128])
        test(`${JSON.stringify(params)}, ${widthPx} pixels wide, in ${colorsMax ?? 'all'} colours`, async () => {
          const { scene } = await cards.composed({ params })
          expect(flatShapes(scene.background)).toBeDefined()
          const ours = paintedPixels(scene, widthPx, colorsMax)
          const theirs = resvgPixels(scene, widthPx, ours.length / 4 / widthPx)
          let [sum, far] = [0, 0]
          for (const [at, level] of ours.entries()) {
            const difference = Math.abs(level - (theirs[at] ?? 0))
            sum += difference
            if (difference > 32) far += 1
          }
          expect(sum / ours.length).toBeLessThan(0.5)
          expect(far / ours.length).toBeLessThan(0.001)
        })
})

test('a background of too many colours for numbers is drawn in all of its colours, the first time and later', () => {
  const paths = Array.from({ length: 72 * 72 }, (_, at) => {
    const fill = `#${(0x100000 + at * 2_111).toString(16)}`
    return `<path fill="${fill}" d="M${at % 72} ${Math.floor(at / 72)}h1v1h-1z"/>`
  })
  const scene: Scene = { widthPx: 72, heightPx: 72, background: backgroundOf(paths.join('')), layers: [] }
  const exact = resvgPixels(scene, 72, 72)
  for (const _ of ['drawn', 'cached']) expect(Buffer.compare(paintedPixels(scene, 72, 128), exact)).toBe(0)
})

test('shapes of the colour that lies below them need not be painted', () => {
  expect(flatShapes(backgroundOf('<path fill="#ffffff" d="M0 0h9v9h-9z"/>'))).toEqual([])
  expect(flatShapes(backgroundOf(`${flatShapesSquare}<path fill="#ffffff" d="M0 0h4v4z"/>`))).toHaveLength(2)
})

describe('whatever else a background has is left to resvg', () => {
  for (const body of [
    `<g transform="translate(9 0)">${flatShapesSquare}</g>`,
    `${flatShapesSquare}<circle cx="9" cy="9" r="3" fill="#112233"/>`,
    `${flatShapesSquare}<path fill="url(#og-a)" d="M0 0h9v9h-9z"/>`,
    `${flatShapesSquare}<path fill="#112233" fill-opacity=".5" d="M0 0h9v9h-9z"/>`,
    `${flatShapesSquare}<path fill="#11223380" d="M0 0h9v9h-9z"/>`,
    `${flatShapesSquare} `,
  ])
    test(body, () => expect(flatShapes(backgroundOf(body))).toBeUndefined())

  test('definitions', () => {
    expect(flatShapes(backgroundOf(flatShapesSquare, '<linearGradient id="og-a"/>'))).toBeUndefined()
  })
})

type Shape = Pick<PathLayer, 'd' | 'x' | 'y' | 'scale'>
const width = 1200
const height = 630

/** White on black: the red channel is the coverage. */
function filled({ d, x, y, scale }: Shape, widthPx = width, heightPx = height): Uint8Array {
  const canvas = startCanvas(widthPx, heightPx)
  canvas.rows.fill(0)
  fillPath(d, { x, y, scaleX: scale, scaleY: scale }, '#ffffff')
  return rgbOf(canvas).filter((_, at) => at % 3 === 0)
}

/** The truth: resvg's picture at `zoom` times the size, averaged. */
function averaged({ d, x, y, scale }: Shape, zoom: number, widthPx = width, heightPx = height): Uint8Array {
  const path = `<path fill="#fff" transform="translate(${x} ${y})scale(${scale})" d="${d}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${path}</svg>`
  const { pixels } = new Resvg(svg, { fitTo: { mode: 'zoom', value: zoom } }).render()
  const sums = new Float64Array(widthPx * heightPx)
  for (let i = 0; i < pixels.length; i += 4) {
    const row = Math.floor(i / 4 / (widthPx * zoom))
    const column = i / 4 - row * widthPx * zoom
    const to = Math.floor(row / zoom) * widthPx + Math.floor(column / zoom)
    sums[to] = (sums[to] ?? 0) + (pixels[i + 3] ?? 0)
  }
  return Uint8Array.from(sums, (sum) => Math.round(sum / (zoom * zoom)))
}

function difference(a: Uint8Array, b: Uint8Array) {
  let most = 0
  let sum = 0
  let wrong = 0
  for (let i = 0; i < a.length; i++) {
    const delta = Math.abs((a[i] ?? 0) - (b[i] ?? 0))
    sum += delta
    if (delta > most) most = delta
    if (delta > 40) wrong++
  }
  return { most, sum, wrong }
}

describe('text is as true to its outlines as resvg draws it, or truer', () => {
  for (const name of sampleOf(['paper-b', 'hi-paper', 'ar-aurora'], 3)) {
    test(`every text block of ${name}`, () => {
      const layers = exampleCard(name).scene.layers.filter(({ kind }) => kind === 'path')
      for (const layer of sampleOf(layers, 3)) {
        if (layer.kind !== 'path') continue
        const truth = averaged(layer, 4)
        const ours = difference(filled(layer), truth)
        const theirs = difference(averaged(layer, 1), truth)
        expect(ours.sum).toBeLessThan(theirs.sum * 0.7)
        expect(ours.wrong).toBeLessThanOrEqual(2)
      }
    })
  }
})

describe('the non-zero rule holds', () => {
  const shapes = shapesTable as Readonly<Record<string, string>>
  for (const [name, d] of Object.entries(shapes)) {
    test(name, () => {
      const shape = { d, x: 0, y: 0, scale: 1 }
      expect(difference(filled(shape, 40, 40), averaged(shape, 16, 40, 40)).most).toBeLessThanOrEqual(24)
    })
  }
})

test('an outline that cannot be read is an error, never a wrong picture', () => {
  for (const d of ['M0 0A5 5 0 2 1 9 9z', 'M0 0B5', '5 5', 'M0 0L5', 'M0 0z4 4', 'M0 0L5 x'])
    expect(() => filled({ d, x: 0, y: 0, scale: 1 }, 10, 10)).toThrow(RangeError)
})

test('translucent text lets its background through', () => {
  const canvas = startCanvas(1, 1)
  canvas.rows.fill(0).fill(100, 1)
  fillPath('M0 0h1v1h-1z', { x: 0, y: 0, scaleX: 1, scaleY: 1 }, '#ff0064', 0.5)
  expect([...canvas.rows]).toEqual([0, 178, 50, 100])
})
