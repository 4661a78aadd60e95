import process from 'node:process'
import { openPostgres } from '../../../../src/store/postgres/open-postgres.ts'

/** Reserves ten calls of a key that has five left, and prints how many were granted. Arguments: the database's URL. */
const [url = ''] = process.argv.slice(2)
const store = await openPostgres({ url, clock: Date, hasMasterKey: true, readFile: () => '' })
const calls = Array.from({ length: 10 }, () => store.meter.reserve({ bucket: 'key', limit: 5 }))
const reservations = await Promise.all(calls)
await store.close()
console.log(reservations.filter(({ granted }) => granted).length)
process.exit(0)
