/** Reserves `calls` times in one bucket, a few at a time, and prints how many were granted. */
import process from 'node:process'
import { openStore } from '../../../src/store/open.ts'

const [path = '', bucket = '', limit = '', calls = ''] = process.argv.slice(2)
const store = openStore({ path })
const { meter } = store
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
await store.close()
console.log(granted)
