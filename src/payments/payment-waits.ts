import { setTimeout as sleep } from 'node:timers/promises'
import { addressBlock } from '../lib/client-blocks.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import { createFairLimiter, LimiterFull } from '../lib/fair-limiter.ts'
import { waitInQueue } from '../lib/waiter.ts'
import { retryWhileLocked } from '../store/retry-while-locked.ts'
import type { BusyClaim } from './ledger/claims.ts'
import type { Ledger } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PayingClient } from './paying-client.ts'

/** Callers who may wait at once: over all, and of one address (IPv6 by /64). */
export const waitsMax = 256
export const waitsPerAddressMax = 8
const waitMsMax = 5_000
/** Most answers are ready within this time, so a wait needs a place only when it takes longer. */
const briefMs = 200
const lookEveryMs = 50

interface Deps {
  readonly ledger: Pick<Ledger, 'isHeld'>
  /** Called each time a caller gets no place. */
  readonly onFull: () => void
}

export type PaymentWaits = ReturnType<typeof createPaymentWaits>

/** Callers who wait for a payment: for the answer that it is buying, or for the block that it is in. */
export function createPaymentWaits({ ledger, onFull }: Deps) {
  const places = createFairLimiter({
    runningMax: waitsMax,
    runningPerClientMax: waitsPerAddressMax,
    waitingMax: 0,
  })
  const coalesce = createCoalescer<boolean>()

  /** Runs `work` in one of the places. Rejects with `OutcomeUnknown` at once where there is none. */
  async function inPlace<T>(clientAddress: string, work: () => Promise<T>): Promise<T> {
    try {
      return await places.run(addressBlock(clientAddress), work)
    } catch (error) {
      if (!(error instanceof LimiterFull)) throw error
      onFull()
      const words = 'Your address waits for as many payments as it may. The payment stays usable.'
      throw new OutcomeUnknown('busy', words, 1)
    }
  }

  /** Whether the slot is still held a moment later. All who wait for one slot look as one. */
  function isHeldLater(slot: string): Promise<boolean> {
    return coalesce(slot, async () => {
      await sleep(lookEveryMs)
      return await retryWhileLocked(() => ledger.isHeld(slot))
    })
  }

  async function isFreeBefore(slot: string, deadlineMs: number): Promise<boolean> {
    while (await isHeldLater(slot)) if (performance.now() >= deadlineMs) return false
    return true
  }

  return {
    inPlace,
    /**
     * Claims, and while an equal request is being answered waits for that and claims again. Rejects with `OutcomeUnknown`
     * after five seconds.
     */
    async claimWhenFree<Outcome extends { readonly kind: string }>(
      { clientAddress, waiter }: PayingClient,
      claim: () => Promise<Outcome>,
    ): Promise<Exclude<Outcome, BusyClaim>> {
      const deadlineMs = performance.now() + waitMsMax
      const waitUntil = (untilMs: number, slot: string) =>
        waitInQueue({ name: '', waiter }, isFreeBefore(slot, untilMs))
      for (;;) {
        const outcome = await retryWhileLocked(claim)
        if (!isBusy(outcome)) return outcome as Exclude<Outcome, BusyClaim>
        const nowMs = performance.now()
        if (nowMs >= deadlineMs) throw new OutcomeUnknown('busy', 'The same request is still being answered.')
        const { slot } = outcome
        if (!(await waitUntil(Math.min(nowMs + briefMs, deadlineMs), slot)))
          await inPlace(clientAddress, () => waitUntil(deadlineMs, slot))
      }
    },
  }
}

function isBusy(outcome: { readonly kind: string }): outcome is BusyClaim {
  return outcome.kind === 'busy'
}
