/** Reserves `calls` times in one bucket, a few at a time, and prints how many were granted. */
import process from 'node:process'
import { createMeter } from '../../../src/access/meter.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openStore } from '../../../src/store/open.ts'

const [path = '', bucket = '', limit = '', calls = ''] = process.argv.slice(2)
const store = openStore({ path })
const meter = createMeter({ store, clock: systemClock })
let left = Number(calls)
let granted = 0

async function call(): Promise<void> {
  while (left > 0) {
    left -= 1
    const reservation = await meter.reserve({ bucket, limit: Number(limit) })
    if (reservation.granted) granted += 1
  }
}

await Promise.all(Array.from({ length: 8 }, call))
store.close()
console.log(granted)
