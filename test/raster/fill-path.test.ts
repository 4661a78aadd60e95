import { describe, expect, test } from 'bun:test'
import { Resvg } from '@resvg/resvg-js'
import { rowBytes } from '../../src/raster/bitmap.ts'
import { fillPath, startCanvas } from '../../src/raster/pixel-canvas.ts'
import type { PathLayer } from '../../src/raster/scene.ts'
import { sampleOf } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'

type Shape = Pick<PathLayer, 'd' | 'x' | 'y' | 'scale'>
const width = 1200
const height = 630

/** White on black: the red channel is the coverage. */
function filled({ d, x, y, scale }: Shape, widthPx = width, heightPx = height): Uint8Array {
  const canvas = startCanvas(widthPx, heightPx)
  canvas.rows.fill(0)
  fillPath(d, { x, y, scaleX: scale, scaleY: scale }, '#ffffff')
  const { rows } = canvas
  return Uint8Array.from({ length: widthPx * heightPx }, (_, i) => {
    const row = Math.floor(i / widthPx)
    return rows[row * rowBytes(widthPx, 3) + 1 + (i - row * widthPx) * 3] ?? 0
  })
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
  const shapes: Readonly<Record<string, string>> = {
    'two shapes that share an edge between pixels': 'M4.5 4.5h20v20h-20zM4.5 10.5h30v8h-30z',
    'overlapping shapes with tops at one height': 'M4 4.5h20v20h-20zM12 4.5h20v20h-20z',
    'an overlap thinner than a pixel': 'M4 4h10.4v20h-10.4zM14.2 4h12v20h-12z',
    'a hole': 'M4 4h30v30h-30zM10 10v18h18v-18z',
    'a shape within a hole': 'M4 4h30v30h-30zM10 10v18h18v-18zM15 15h8v8h-8z',
    'shapes of opposite direction, overlapping': 'M4 4h20v20h-20zM14 14v20h20v-20z',
    'a contour that crosses itself and winds twice': 'M20 2L32 38L2 15H38L8 38z',
    'an open contour': 'M4 4L30 8L12 34',
    'smooth curves': 'M4 20C4 4 16 4 20 20S36 36 36 20Q36 4 20 8T4 20z',
    'arcs of every kind':
      'M4 10A8 6 30 1 1 18 12zM20 6a5 5 0 0110 0a5 2 0 11-10 0zM6 25a1 1 0 0 0 9 3a6 0 0 0 0 4 6z',
    'numbers without separators': 'M4.5.5.5 30.5l30-5-1e1-2.5-.5-9z',
    'parts beyond every side': 'M-20-20h30v30h-30zM30 30h40v40h-40zM-9 20h60v3h-60z',
  }
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
