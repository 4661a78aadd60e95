import { type Clock, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { Take, TakeRequest } from './take.ts'
import { createTally, type Tally } from './tally.ts'

/** Counts calls against daily quotas: exact over any number of processes, and after any crash. */
export interface Meter {
  /** Counts `n` more in the bucket unless that would pass the limit. Resolves when it is stored. */
  take(request: TakeRequest): Promise<Take>
  /** Undoes a granted take on the day that it was counted on. The count never goes below zero. */
  giveBack(take: Take): Promise<void>
}

/** The store could not count: nothing was granted and nothing was counted. Worth another try soon. */
export class MeterUnavailable extends Error {
  override readonly name = 'MeterUnavailable'
}

export interface MeterDeps {
  readonly store: Store
  readonly clock: Clock
}

/**
 * A write for each call would halve the service. So calls join a batch, and the batch is one transaction at the
 * end of the event loop's turn; a call is answered when its batch is stored.
 */
export function createMeter({ store, clock }: MeterDeps): Meter {
  let waiting: Waiting[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    let takes: readonly Take[]
    try {
      takes = store.transaction(() => decide(batch))
    } catch (cause) {
      const error = new MeterUnavailable('The call could not be counted.', { cause })
      for (const call of batch) call.reject(error)
      return
    }
    for (const [index, take] of takes.entries()) batch[index]?.resolve(take)
  }

  function decide(batch: readonly Waiting[]): readonly Take[] {
    // Now, and not when the calls came: the day may have ended while they waited for other processes.
    const today = createTally(store, utcDay(clock.now()))
    const takes = batch.map((call) => call.apply(today))
    today.write()
    return takes
  }

  function join(apply: Waiting['apply']): Promise<Take> {
    if (waiting.length === 0) setImmediate(flush)
    return new Promise((resolve, reject) => waiting.push({ apply, resolve, reject }))
  }

  return {
    take: (request) => join((today) => today.take(request)),
    giveBack: async (take) => {
      await join((today) => giveBack(store, today, take))
    },
  }
}

function giveBack(store: Store, today: Tally, take: Take): Take {
  if (take.day === today.day) {
    today.giveBack(take)
    return take
  }
  const thatDay = createTally(store, take.day)
  thatDay.giveBack(take)
  thatDay.write()
  return take
}

/** A call in the batch, to be counted or given back: decided within the transaction, answered when it is stored. */
interface Waiting {
  apply(today: Tally): Take
  resolve(take: Take): void
  reject(error: Error): void
}
