import { createHash } from 'node:crypto'
import { deflateId } from '../../src/raster/deflate-id.ts'
import { createRasterPool } from '../../src/raster/pool.ts'
import { decodePng } from '../support/png-decode.ts'
import { exampleCard } from './example-scenes.ts'

/**
 * Draws through the pool and prints a checksum of the pixels of each card, then of JPEG and WebP files: the same on every
 * runtime. The last line is about PNG files: their bytes, and what ETags call the encoder.
 */
const pool = createRasterPool()
function sum(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
for (const name of ['aurora-b', 'paper-b', 'ar-aurora']) {
  const { widthPx, heightPx, rgba } = decodePng(
    await pool.scenePicture(exampleCard(name).scene, 601, { format: 'png' }),
  )
  console.log(name, widthPx, heightPx, sum(rgba))
}
const { scene } = exampleCard('aurora-b')
for (const format of ['jpeg', 'webp'] as const)
  for (const quality of [82, 95])
    console.log(format, quality, sum(await pool.scenePicture(scene, 601, { format, quality })))
/** More colours than a palette has: truecolour is compressed at another level. */
const gradients =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><linearGradient id="a"><stop/><stop offset="1" stop-color="#f00"/></linearGradient><linearGradient id="b" x2="0" y2="1"><stop stop-color="#0f0" stop-opacity="0"/><stop offset="1" stop-color="#0f0"/></linearGradient><path d="M0 0h256v256H0z" fill="url(#a)"/><path d="M0 0h256v256H0z" fill="url(#b)"/></svg>'
const pngs = await Promise.all([
  ...['aurora-b', 'paper-b'].map((name) =>
    pool.scenePicture(exampleCard(name).scene, 601, { format: 'png' }),
  ),
  pool.svgPng(gradients),
])
console.log(sum(Buffer.concat(pngs)), deflateId)
