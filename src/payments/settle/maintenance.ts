import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createCoalescer } from '../../lib/waiter.ts'
import { repeatWhileLocked } from '../../store/store-error.ts'
import { checkToken, type TokenCheck } from '../chain/check-token.ts'
import { RpcUnavailable } from '../chain/rpc.ts'
import { isLeased, paymentSlot } from '../ledger/claims.ts'
import { OutcomeUnknown } from '../payment-reasons.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import type { PaymentParts } from '../purchase.ts'
import type { SettlerAccount } from './settler-account.ts'

const everyMs = 30_000
const orphansEveryMs = 1_000
const purgedAtOnce = 200
const refreshedEveryMs = 2_000
const refreshWaitMsMax = 1_000
const noRpc = 'X402_RPC_URLS is empty: transfers cannot be verified.'

/** @param account undefined where this server pays no gas */
export function createMaintenance(parts: PaymentParts, account: SettlerAccount | undefined) {
  const { settings, store, clock, log, chain } = parts
  const { reconcile: reconcileOnce, releaseOrphans } = createReconciler(parts, settings)
  let nextRefreshMs = 0
  let check: TokenCheck = { state: 'unknown', problems: chain === undefined ? [noRpc] : [] }
  let logged = ''
  const stopping = new AbortController()

  function problems(): readonly string[] {
    return [...check.problems, account?.gas.problem()].filter((problem) => problem !== undefined)
  }

  function logChanged(problems: readonly string[]): void {
    const text = problems.join(' ')
    if (text !== logged && text !== '') log.warn('payments are limited', { problems })
    logged = text
  }

  const coalesce = createCoalescer<void>()

  async function checkLimits(): Promise<void> {
    nextRefreshMs = performance.now() + refreshedEveryMs
    if (chain !== undefined && check.state !== 'match') check = await checkToken(chain, settings)
    // Its findings are in `problems`.
    await account?.gas.check().catch(() => undefined)
    logChanged(problems())
  }

  /** Repeats a check that limits payments, so that a fault of a moment ends before the next round. Others don't wait for it. */
  async function refresh(isForPayment: boolean): Promise<void> {
    const isUnknown = chain !== undefined && isForPayment && check.state === 'unknown'
    const isLimited = isUnknown || check.state.startsWith('wrong') || account?.gas.problem() !== undefined
    if (!isLimited || performance.now() < nextRefreshMs) return
    const limits = coalesce('', checkLimits)
    await Promise.race([limits, sleep(refreshWaitMsMax, undefined, { ref: false })])
  }

  async function reconcile(): Promise<void> {
    await store.peers.alone('reconcile', () => repeatWhileLocked(store, reconcileOnce))
  }

  async function round(): Promise<void> {
    try {
      await coalesce('', checkLimits)
      await reconcile()
      await store.peers.alone('settlements', async () => {
        // Tried again in the next round.
        await account?.replaceStuck().catch(() => undefined)
        const beforeMs = clock.now() - settings.replayWindowMs
        // In small batches, so that requests are served in between.
        while ((await store.charges.forgetAnswers(beforeMs, purgedAtOnce)) === purgedAtOnce) await nextTurn()
      })
    } catch (error) {
      log.error('payments could not be looked after', { problem: String(error) })
    }
  }

  /** Repeats the work with pauses between, and swallows its errors: the next time makes up for one that failed. */
  async function repeat(pauseMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = stopping
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { ref: false, signal })
        .then(work)
        .catch(() => {})
    }
  }

  return {
    /** Runs the first round at once, then one every half minute. */
    async start(): Promise<void> {
      // Charges of a process that was killed are free again as soon as it is known to be dead. A look is one statement.
      void repeat(orphansEveryMs, releaseOrphans)
      await round()
      void repeat(everyMs, round)
    },
    stop: () => stopping.abort(),
    check: (): TokenCheck => check,
    refresh,
    problems,
    reconcile,
  }
}

const reorgedAtOnce = 50

/** Releases or settles what was left open by processes that died or lost the chain in the middle of a payment. */
export function createReconciler(
  parts: Pick<PaymentParts, 'store' | 'clock' | 'log' | 'ledger' | 'resolver' | 'checkReorg'>,
  { chainId, maxAgeMs }: Pick<PaymentSettings, 'chainId' | 'maxAgeMs'>,
) {
  const { store, clock, log, ledger, resolver, checkReorg } = parts

  async function releaseOrphans(): Promise<void> {
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

  async function resolveOpen(): Promise<void> {
    for (const payment of await store.payments.open()) {
      const charge = await store.charges.bySlot(paymentSlot(payment.id))
      if (charge?.state === 'reserved') continue
      if (payment.state === 'reserved') {
        await ledger.abandon(payment, 'reserved')
        continue
      }
      const outcome = await resolver.resolve(payment).catch(unknownOnly)
      // A transaction that never reached the network must not block its nonce.
      if (outcome === 'idle' && payment.settlerNonce !== null) await ledger.freeNonce(payment)
      log.info('looked after an open settlement', { payment: payment.id, outcome })
    }
  }

  /** A dropped transaction may return in another block with the same hash. */
  async function recheckReorged(): Promise<void> {
    for (const payment of await store.paymentList.newest('reorged', reorgedAtOnce)) {
      if (payment.chainId !== chainId || clock.now() - payment.createdAtMs > maxAgeMs) continue
      const presence = await checkReorg?.(payment, payment.amountMicros).catch(unknownOnly)
      if (presence === 'final') log.info('a payment that was dropped is back', { payment: payment.id })
    }
  }

  return {
    releaseOrphans,
    async reconcile(): Promise<void> {
      await releaseOrphans()
      try {
        await resolveOpen()
        await recheckReorged()
      } catch (error) {
        if (!(error instanceof RpcUnavailable)) throw error
        log.warn('open settlements wait for the chain', { problem: error.message })
      }
    },
  }
}

/** A payment with an unknown outcome must not stop the loop. */
function unknownOnly(error: unknown): 'unknown' {
  if (error instanceof OutcomeUnknown) return 'unknown'
  throw error
}
