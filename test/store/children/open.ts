/** Opens the store, writes to it, and says whether it is ready. */
import process from 'node:process'
import { openStore } from '../../../src/store/open.ts'

const [path = ''] = process.argv.slice(2)
const store = openStore({ path })
await store.transaction(() => store.usage.set(1, `process:${process.pid}`, 1))
console.log(JSON.stringify(store.check()))
await store.close()
