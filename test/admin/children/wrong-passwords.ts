import { createLoginThrottle } from '../../../admin/session/login-throttle.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openStore } from '../../../src/store/open.ts'

/** Tries wrong passwords as fast as it can and prints how many were looked at. Words: database, address, tries. */
const [path = '', address = '', tries = '0'] = process.argv.slice(2)
const store = openStore({ path })
const throttle = createLoginThrottle({ store, clock: systemClock })
let looked = 0
for (let n = 0; n < Number(tries); n++) {
  const admission = await throttle.admit({ name: address, isTrusted: false })
  if (!admission.admitted) continue
  looked++
  await admission.done(false)
}
await store.close()
console.log(looked)
