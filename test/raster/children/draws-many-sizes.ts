import { residentMb } from '../../../bench/support/processes.ts'
import { createDrawingPool } from '../../../src/assets/og/drawing-pool.ts'
import { exampleCard } from '../example-scenes.ts'

/** Draws a card in 30 widths, one after the other, and prints by how many MB memory had grown at most, from the third on. */
const widths = 30
const pool = createDrawingPool()
const { scene } = exampleCard('aurora-b')
let startMb = Infinity
let mostMb = 0
for (let n = 0; n < widths; n++) {
  await pool.scenePicture(scene, 1500 + 10 * n, { format: 'png' })
  if (n === 2) startMb = residentMb(process.pid)
  if (n > 2) mostMb = Math.max(mostMb, residentMb(process.pid))
}
console.log(Math.round(mostMb - startMb))
process.exit()
