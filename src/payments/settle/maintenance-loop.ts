import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createCoalescer } from '../../lib/coalescer.ts'
import type { Store } from '../../store/open.ts'
import type { Chain } from '../chain/chain.ts'
import { checkToken, type TokenCheck } from '../chain/check-token.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { SettlerAccount } from './settler-account.ts'

interface Deps extends PaymentContext {
  readonly chain: Chain | undefined
  /** Undefined where this server pays no gas. */
  readonly account: SettlerAccount | undefined
  readonly reconcile: () => Promise<void>
}

const everyMs = 30_000
const purgedAtOnce = 200
const refreshedEveryMs = 2_000
const refreshWaitMsMax = 1_000
const noRpc = 'X402_RPC_URLS is empty: transfers cannot be verified.'

/** Background work: checks chain and token, reconciles open settlements, purges stored responses. */
export function createMaintenanceLoop(deps: Deps) {
  const { settings, store, clock, log, chain, account, reconcile } = deps
  let nextRefreshMs = 0
  let check: TokenCheck = { state: 'unknown', problems: chain === undefined ? [noRpc] : [] }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let logged = ''

  /** Why payments are limited, one sentence each. */
  function problems(): readonly string[] {
    return [...check.problems, account?.gas.problem()].filter((problem) => problem !== undefined)
  }

  /** Logs problems once, and again when they change. */
  function logChanged(problems: readonly string[]): void {
    const text = problems.join(' ')
    if (text !== logged && text !== '') log.warn('payments are limited', { problems })
    logged = text
  }

  const coalesce = createCoalescer<void>()

  /** Finds out what limits payments. Never rejects. */
  async function checkLimits(): Promise<void> {
    nextRefreshMs = performance.now() + refreshedEveryMs
    if (chain !== undefined && check.state !== 'match') check = await checkToken(chain, settings)
    // Its findings are in `problems`.
    await account?.gas.check().catch(() => undefined)
    logChanged(problems())
  }

  /**
   * Repeats the check that takes something out of the 402, or that no payment can be judged without, so that what was
   * wrong for a moment does not last until the next round. Others do not wait for it.
   */
  async function refresh(isForPayment: boolean): Promise<void> {
    const isUnknown = chain !== undefined && isForPayment && check.state === 'unknown'
    const isLimited = isUnknown || check.state.startsWith('wrong') || account?.gas.problem() !== undefined
    if (!isLimited || performance.now() < nextRefreshMs) return
    const limits = coalesce('', checkLimits)
    await Promise.race([limits, sleep(refreshWaitMsMax, undefined, { ref: false })])
  }

  async function round(): Promise<void> {
    try {
      await coalesce('', checkLimits)
      await reconcile()
      await store.peers.alone('settlements', async () => {
        // Tried again in the next round.
        await account?.replaceStuck().catch(() => undefined)
        await purgeResponses(store, clock.now() - settings.replayWindowMs)
      })
    } catch (error) {
      log.error('payments could not be looked after', { problem: String(error) })
    }
    if (isStopped) return
    timer = setTimeout(round, everyMs)
    timer.unref?.()
  }

  return {
    /** Runs the first round at once, then one every half minute. */
    start: round,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
    check: (): TokenCheck => check,
    refresh,
    problems,
  }
}

/** In small batches, so that requests are served in between. */
async function purgeResponses({ charges }: Store, beforeMs: number): Promise<void> {
  while ((await charges.forgetAnswers(beforeMs, purgedAtOnce)) === purgedAtOnce) {
    await nextTurn()
  }
}
