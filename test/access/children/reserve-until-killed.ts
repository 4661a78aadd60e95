/** Reserves in one bucket until it is killed, and writes a byte for each granted call that it could have answered. */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { openStore } from '../../../src/store/open.ts'

const [path = '', bucket = '', limit = ''] = process.argv.slice(2)
const meter = openStore({ path }).meter

async function call(): Promise<void> {
  for (;;) {
    const reservation = await meter.reserve({ bucket, limit: Number(limit), endpoint: 'og', auth: 'demo' })
    writeSync(1, reservation.granted ? '+' : '-')
  }
}

await Promise.all(Array.from({ length: 8 }, call))
