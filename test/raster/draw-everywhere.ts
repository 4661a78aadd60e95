import { createHash } from 'node:crypto'
import { createRasterPool } from '../../src/raster/pool.ts'
import { decodePng } from '../support/png-decode.ts'
import { exampleCard } from './example-scenes.ts'

/** Draws through the pool and prints a checksum of the pixels of each card: the same on every runtime. */
const pool = createRasterPool()
for (const name of ['aurora-b', 'paper-b', 'ar-aurora']) {
  const { widthPx, heightPx, rgba } = decodePng(await pool.scenePng(exampleCard(name).scene, 601))
  console.log(name, widthPx, heightPx, createHash('sha256').update(rgba).digest('hex'))
}
