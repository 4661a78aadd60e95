import { openStore } from '../../src/store/open.ts'
import { noon, seededKeyId } from './seed-keys.ts'
import { shuffled } from './shuffled.ts'
import type { TimedCalls } from './timed-calls.ts'

/** Number of keys in the smallest database. In each database, that many are drawn from all keys. */
const drawn = 1_000
const takesOfEach = 3

/**
 * Takes on one day, which no other call may have counted on: of a thousand keys each is used three times, so that as many
 * takes are the first of their key, which insert a row, in a small database as in a large one.
 */
export async function openTakes(path: string, keys: number, day: number): Promise<TimedCalls> {
  const store = openStore({ path, clock: noon(day) })
  const numbers = draw(keys)
  const order = Array.from({ length: takesOfEach }, () => shuffled(numbers)).flat()
  // A caller has read the key before, and none has changed since.
  const generation = (await store.keys.read(seededKeyId(0)))?.generation ?? 0
  return {
    count: order.length,
    async call(index) {
      const keyId = seededKeyId(order[index] ?? 0)
      await store.meter.reserve({
        bucket: `key:${keyId}`,
        limit: 1_000,
        endpoint: 'og',
        auth: 'key',
        expectedRevision: { keyId, revision: 1, generation },
      })
    },
    close: store.close,
  }
}

/** Different numbers below `keys`. */
function draw(keys: number): readonly number[] {
  const numbers = new Set<number>()
  while (numbers.size < Math.min(drawn, keys)) numbers.add(Math.floor(Math.random() * keys))
  return [...numbers]
}
