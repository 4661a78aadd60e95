import { openPostgres } from '../../../../src/store/postgres/open-postgres.ts'

/** Does work that never ends, as one server alone. Prints its name once it has begun. */
const [url = '', leaseMs = ''] = process.argv.slice(2)
const store = await openPostgres({
  url,
  clock: Date,
  hasMasterKey: true,
  readFile: () => '',
  leaseMs: Number(leaseMs),
})
await store.peers.alone('common', async () => {
  process.stdout.write(`${store.peers.ownName}\n`)
  setInterval(() => {}, 1_000)
  await new Promise(() => {})
})
