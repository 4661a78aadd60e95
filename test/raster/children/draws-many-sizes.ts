import { createRasterPool } from '../../../src/raster/pool.ts'
import { residentMb } from '../../../bench/support/resident-mb.ts'
import { exampleCard } from '../example-scenes.ts'

/** Draws a card in so many widths, one after the other, and prints by how much memory had grown at most, in MB. */
const widths = 40
const pool = createRasterPool()
const { scene } = exampleCard('aurora-b')
await pool.scenePicture(scene, 1200, { format: 'png' })
const startMb = residentMb(process.pid)
let mostMb = startMb
const start = process.cpuUsage()
for (let n = 0; n < widths; n++) {
  await pool.scenePicture(scene, 900 + 10 * n, { format: 'png' })
  mostMb = Math.max(mostMb, residentMb(process.pid))
}
const { user, system } = process.cpuUsage(start)
console.log((mostMb - startMb).toFixed(0), 'from', startMb.toFixed(0), 'cpu', (user + system) / 1000)
process.exit()
