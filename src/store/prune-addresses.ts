import { setImmediate as nextTurn } from 'node:timers/promises'
import { retryWhileLocked } from './retry-while-locked.ts'
import type { SignedAddressTable } from './signed-addresses.ts'

/** An address that nobody asked for in so many days is forgotten. */
const addressDaysMax = 400
/** How many addresses a key keeps. */
const addressesMax = 1_000_000
/** Few enough that other work hardly waits for a step. */
const rowsAtOnce = 1_000
/** A run looks at so many keys, and the next run goes on behind them. */
const keysAtOnce = 2_000

type PrunableAddresses = Pick<SignedAddressTable, 'nextKeys' | 'pageEnd' | 'removeUnseen'>

/**
 * Returns a function that forgets addresses which are no longer asked for, key by key: those unseen for 400 days, and of a
 * key with more than a million the longest unseen.
 */
export function createAddressPruning(max = addressesMax) {
  let lastId = ''

  return async (addresses: PrunableAddresses, today: number): Promise<void> => {
    const keys = await addresses.nextKeys(lastId, keysAtOnce)
    lastId = keys.length === keysAtOnce ? (keys.at(-1)?.id ?? '') : ''
    for (const { id } of keys) {
      await removeUnseen(addresses, id, today - addressDaysMax, Number.POSITIVE_INFINITY)
      const excess = (await countAddresses(addresses, id)) - max
      if (excess > 0) await removeUnseen(addresses, id, today + 1, excess)
    }
  }
}

async function removeUnseen(
  addresses: PrunableAddresses,
  keyId: string,
  beforeDay: number,
  countMax: number,
) {
  for (let left = countMax; left > 0; ) {
    const limit = Math.min(left, rowsAtOnce)
    const removed = await retryWhileLocked(() => addresses.removeUnseen(keyId, beforeDay, limit))
    if (removed < limit) return
    left -= removed
    await nextTurn()
  }
}

/** In whole steps, which is exact enough: what is above a million by less than a step stays until it is more. */
async function countAddresses({ pageEnd }: PrunableAddresses, keyId: string): Promise<number> {
  let count = 0
  let after: string | undefined = ''
  while (after !== undefined) {
    after = await pageEnd(keyId, after, rowsAtOnce)
    if (after !== undefined) count += rowsAtOnce
    if (count > 0) await nextTurn()
  }
  return count
}
