import { setTimeout as sleep } from 'node:timers/promises'
import { addressBlock } from '../lib/client-addresses.ts'
import type { Clock } from '../lib/clock.ts'
import { FairLimiter, LimiterFull } from '../lib/fair-limiter.ts'
import { createRateLimit, partOf } from '../lib/rate-limit.ts'
import { createCoalescer, waitInQueue } from '../lib/waiter.ts'
import { retryWhileLocked } from '../store/store-error.ts'
import type { BusyClaim } from './ledger/claims.ts'
import type { Ledger } from './ledger/ledger.ts'
import { OutcomeUnknown } from './payment-reasons.ts'
import type { PayingClient } from './payments.ts'

export type VerificationLimiter = ReturnType<typeof createVerificationLimiter>

/** Honest payers fail now and then: an empty wallet, a signature for another network. */
const inVainPerMinute = 60
/** Beyond that, so many payments of an address are looked at a minute for whether their payer holds the money. */
const vouchedPerMinute = 600
const limiterOptions = { runningMax: 32, runningPerClientMax: 8, waitingMax: 2_000, waitingPerClientMax: 100 }

export interface Payer {
  readonly address: string
  readonly hasMoney: () => Promise<boolean>
}

/**
 * Limits the chain and facilitator requests that one client's payments may cause. Where an address has used its limit
 * up, a payer who signed and holds the money has a limit of its own, and does not share that of an attacker at the
 * address.
 */
export function createVerificationLimiter(clock: Clock, processes?: number) {
  const now = () => clock.now()
  const inVain = createRateLimit(partOf(inVainPerMinute, processes), now)
  const vouched = createRateLimit(partOf(vouchedPerMinute, processes), now)
  const limiter = new FairLimiter(limiterOptions)

  async function accountFor(client: string, payer: Payer | undefined): Promise<string> {
    if (payer === undefined || inVain.waitSeconds(client) === 0) return client
    if (vouched.acquire(client) > 0 || !(await payer.hasMoney())) return client
    return `payer ${payer.address}`
  }

  function checkLimit(account: string): void {
    const waitSeconds = inVain.waitSeconds(account)
    if (waitSeconds === 0) return
    const words = 'Your address has offered too many payments that are worth nothing.'
    throw new OutcomeUnknown('busy', words, waitSeconds)
  }

  return {
    /** Throws `OutcomeUnknown` if too much of the client waits or was in vain. `payer` is known where the signature is right. */
    async run<T>(
      { clientAddress, waiter }: PayingClient,
      work: () => Promise<T>,
      isInVain: (outcome: T) => boolean,
      payer?: Payer,
    ): Promise<T> {
      const first = await accountFor(clientAddress, payer)
      checkLimit(first)
      try {
        return await limiter.run({ name: addressBlock(clientAddress), waiter }, async () => {
          // Checked again: other work of the client may have failed meanwhile.
          const account = first === clientAddress ? await accountFor(clientAddress, payer) : first
          checkLimit(account)
          const outcome = await work()
          if (isInVain(outcome)) inVain.acquire(account)
          return outcome
        })
      } catch (error) {
        if (!(error instanceof LimiterFull)) throw error
        throw new OutcomeUnknown('busy', 'Too many payments wait to be checked.', 2)
      }
    },
  }
}

const lookupsPerMinute = 600

/** Anybody may send any hash, so the chain lookups for one client address are limited. */
export function createLookupLimit(clock: Clock, processes?: number): (clientAddress: string) => void {
  const perMinute = partOf(lookupsPerMinute, processes)
  const lookups = createRateLimit(perMinute, () => clock.now())
  return (clientAddress) => {
    const waitSeconds = lookups.acquire(clientAddress)
    if (waitSeconds > 0)
      throw new OutcomeUnknown('busy', 'Your address asks about too many transactions.', waitSeconds)
  }
}

/** Callers who may wait at once: over all, and of one address (IPv6 by /64). */
export const waitsMax = 256
export const waitsPerAddressMax = 8
const waitMsMax = 5_000
/** Most answers are ready within this time, so a wait needs a place only when it takes longer. */
const briefMs = 200
const lookEveryMs = 50

export type PaymentWaits = ReturnType<typeof createPaymentWaits>

/** Callers who wait for a payment: for the answer that it is buying, or for the block that it is in. */
export function createPaymentWaits(ledger: Pick<Ledger, 'isHeld'>, onFull: () => void) {
  const limits = { runningMax: waitsMax, runningPerClientMax: waitsPerAddressMax, waitingMax: 0 }
  const places = new FairLimiter(limits)
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

  /** All who wait for one slot look as one. */
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
    /** Claims, and while an equal request is being answered waits for that and claims again, for five seconds. */
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
