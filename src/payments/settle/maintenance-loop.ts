import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/open.ts'
import type { Chain } from '../chain/chain.ts'
import { checkToken, type TokenCheck } from '../chain/check-token.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import type { SettlerAccount } from './settler-account.ts'

/** Background work: checks chain and token, reconciles open settlements, purges stored responses. */
export interface MaintenanceLoop {
  /** Runs the first round at once, then one every half minute. */
  start(): Promise<void>
  stop(): void
  check(): TokenCheck
  /** Why payments are limited, one sentence each. */
  problems(): readonly string[]
}

interface Deps {
  readonly settings: PaymentSettings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly chain: Chain | undefined
  /** Undefined where this server pays no gas. */
  readonly account: Pick<SettlerAccount, 'checkFunds' | 'problem' | 'replaceStuck'> | undefined
  readonly reconcile: () => Promise<void>
}

const everyMs = 30_000
const purgedAtOnce = 200
const noRpc = 'X402_RPC_URLS is empty: transfers cannot be verified.'

export function createMaintenanceLoop({
  settings,
  store,
  clock,
  log,
  chain,
  account,
  reconcile,
}: Deps): MaintenanceLoop {
  let check: TokenCheck = { state: 'unknown', problems: chain === undefined ? [noRpc] : [] }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let logged = ''

  function problems(): readonly string[] {
    const problem = account?.problem()
    return problem === undefined ? check.problems : [...check.problems, problem]
  }

  /** Logs problems once, and again when they change. */
  function logChanged(problems: readonly string[]): void {
    const text = problems.join(' ')
    if (text !== logged && text !== '') log.warn('payments are limited', { problems })
    logged = text
  }

  async function round(): Promise<void> {
    try {
      if (chain !== undefined && check.state !== 'match') check = await checkToken(chain, settings)
      // Its findings are in `problems`.
      await account?.checkFunds().catch(() => undefined)
      logChanged(problems())
      await reconcile()
      // Tried again in the next round.
      await account?.replaceStuck().catch(() => undefined)
      await purgeResponses(store, clock.now() - settings.replayWindowMs)
    } catch (error) {
      log.error('payments could not be looked after', { problem: String(error) })
    }
    if (isStopped) return
    timer = setTimeout(round, everyMs)
    timer.unref?.()
  }

  return {
    start: round,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
    check: () => check,
    problems,
  }
}

/** In small batches, so that requests are served in between. */
async function purgeResponses({ charges }: Store, beforeMs: number): Promise<void> {
  while (charges.forgetAnswers(beforeMs, purgedAtOnce) === purgedAtOnce) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
