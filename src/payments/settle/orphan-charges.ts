import { isLeased } from '../ledger/claims.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { PaymentContext } from '../payment-context.ts'

interface Deps extends Pick<PaymentContext, 'store' | 'clock' | 'log'> {
  readonly ledger: Ledger
}

/** Returns what releases the charges of requests whose process is gone or whose lease has expired. */
export function createOrphanRelease({ store, ledger, clock, log }: Deps): () => Promise<void> {
  return async () => {
    const gone = new Map<string, boolean>()
    for (const { id, leaseOwner, leaseUntilMs, paymentId: payment } of await store.charges.reserved()) {
      const isGone = gone.get(leaseOwner) ?? (await store.peers.isGone(leaseOwner))
      gone.set(leaseOwner, isGone)
      if (isLeased({ leaseUntilMs }, clock.now()) && !isGone) continue
      const paid = await store.payments.byId(payment)
      if (paid !== undefined) await ledger.release(id, paid)
      log.warn('released the charge of a request that never ended', { charge: id, payment })
    }
  }
}

const everyMs = 1_000

/**
 * Releases orphaned charges every second, so that what a process held when it was killed is free again as soon as it is
 * known to be dead. A look is one statement, however many requests there are.
 */
export function createOrphanWatch(releaseOrphans: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  async function look(): Promise<void> {
    // The next look makes up for one that failed because the database was away or locked.
    await releaseOrphans().catch(() => {})
    if (!isStopped) start()
  }

  function start(): void {
    timer = setTimeout(look, everyMs)
    timer.unref?.()
  }

  return {
    start,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
