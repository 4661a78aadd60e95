import { describe, expect, test } from 'bun:test'
import { type CardParams, createCardRenderer } from '../../src/assets/og/card-renderer.ts'
import { flatShapes } from '../../src/raster/background.ts'
import { backgroundSvg } from '../../src/raster/background-svg.ts'
import { drawPremultiplied } from '../../src/raster/draw-svg.ts'
import { encodePng } from '../../src/raster/encode-png.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import type { Background, Scene } from '../../src/raster/scene.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { decodePng } from '../support/png-decode.ts'
import { sampleOf } from '../support/test-size.ts'

const cards = createCardRenderer(createTextEngine())
const square = '<path fill="#112233" d="M0 0h9v9h-9z"/>'

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
  return drawPremultiplied(`${head}${backgroundSvg(background)}</svg>`, {}, background.color).pixels
}

describe('a background that our own filler paints is the one that resvg draws, but for edges', () => {
  const looks: readonly CardParams[] = [
    { theme: 'poster', title: 'One' },
    { theme: 'poster', title: 'Another', scheme: 'dark', size: 'square' },
    { theme: 'poster', title: 'Notes', size: 'pin' },
    { theme: 'grid', title: 'One' },
    { theme: 'grid', title: 'One', scheme: 'dark', accent: '#0a7' },
    { theme: 'paper', title: 'One' },
    { theme: 'plain', title: 'One' },
  ]
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
  expect(flatShapes(backgroundOf(`${square}<path fill="#ffffff" d="M0 0h4v4z"/>`))).toHaveLength(2)
})

describe('whatever else a background has is left to resvg', () => {
  for (const body of [
    `<g transform="translate(9 0)">${square}</g>`,
    `${square}<circle cx="9" cy="9" r="3" fill="#112233"/>`,
    `${square}<path fill="url(#og-a)" d="M0 0h9v9h-9z"/>`,
    `${square}<path fill="#112233" fill-opacity=".5" d="M0 0h9v9h-9z"/>`,
    `${square}<path fill="#11223380" d="M0 0h9v9h-9z"/>`,
    `${square} `,
  ])
    test(body, () => expect(flatShapes(backgroundOf(body))).toBeUndefined())

  test('definitions', () => {
    expect(flatShapes(backgroundOf(square, '<linearGradient id="og-a"/>'))).toBeUndefined()
  })
})
