import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createDrawingPool } from '../../src/assets/og/drawing-pool.ts'
import { deflateId } from '../../src/raster/picture-formats.ts'
import { decodePng } from '../support/png-decode.ts'
import { exampleCard } from './example-scenes.ts'

/**
 * Draws through the pool and prints a checksum of the pixels of each card as PNG, and of JPEG and WebP files of cards: the same
 * on every runtime. The last line is about PNG files: their bytes, and what ETags call the encoder.
 */
const pool = createDrawingPool()
function sum(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
const files: Uint8Array[] = []
function printPixels(name: string, png: Uint8Array): void {
  const { widthPx, heightPx, rgba } = decodePng(png)
  console.log(name, widthPx, heightPx, sum(rgba))
  files.push(png)
}
for (const name of ['aurora-b', 'paper-b', 'ar-aurora'])
  printPixels(name, await pool.scenePicture(exampleCard(name).scene, 601, { format: 'png' }))
const { scene } = exampleCard('aurora-b')
for (const format of ['jpeg', 'webp'] as const)
  for (const quality of [82, 95])
    console.log(format, quality, sum(await pool.scenePicture(scene, 601, { format, quality })))
/** Below a logo of pixels a background keeps all of its colours. */
const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><path d="M0 0h2v2H0z"/></svg>'
const logo = {
  kind: 'picture',
  key: 'dot',
  png: await pool.svgPng(dot),
  x: 8,
  y: 8,
  widthPx: 2,
  heightPx: 2,
} as const
for (const each of [scene, exampleCard('paper-b').scene, { ...scene, layers: [...scene.layers, logo] }])
  printPixels('png', await pool.scenePicture(each, 601, { format: 'png' }))
const clouds =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><filter id="a"><feTurbulence baseFrequency=".01"/></filter><path d="M0 0h600v300H0z" filter="url(#a)"/></svg>'
files.push(await pool.svgPng(clouds))
console.log(sum(Buffer.concat(files)), deflateId)
