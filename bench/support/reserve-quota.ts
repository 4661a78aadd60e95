import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'

/** Callers that reserve quota one call after another, as one server of several. Prints what was granted a second. */
const [url = '', callers = '64', seconds = '3'] = process.argv.slice(2)
const store = await openPostgres({ url, clock: Date, hasMasterKey: true, readFile: () => '' })
let granted = 0
let isOver = false

async function call(): Promise<void> {
  while (!isOver) {
    const demo = { bucket: 'demo', limit: 1e9, endpoint: 'og', auth: 'demo' } as const
    if ((await store.meter.reserve(demo)).granted) granted += 1
  }
}

const calls = Array.from({ length: Number(callers) }, call)
await sleep(1_000)
const before = granted
const startMs = performance.now()
await sleep(Number(seconds) * 1_000)
console.log(((granted - before) / (performance.now() - startMs)) * 1_000)
isOver = true
await Promise.all(calls)
await store.close()
process.exit(0)
