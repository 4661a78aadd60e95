import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/open.ts'
import type { Chain } from '../chain/chain.ts'
import { checkToken, type TokenCheck } from '../chain/check-token.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import type { SettlerAccount } from './settler-account.ts'

/** What goes on beside the calls: the check of chain and token, open settlements, answers that may be forgotten. */
export interface MaintenanceLoop {
  /** The first round at once, then one every half minute. */
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
  /** Absent where nobody pays gas here. */
  readonly account: Pick<SettlerAccount, 'checkFunds' | 'problem' | 'replaceStuck'> | undefined
  readonly reconcile: () => Promise<void>
}

const everyMs = 30_000
const forgottenAtOnce = 200
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

  /** Once, and again when it is something else. */
  function tell(problems: readonly string[]): void {
    const text = problems.join(' ')
    if (text !== logged && text !== '') log.warn('payments are limited', { problems })
    logged = text
  }

  /** Bit by bit, so that calls get their turn in between. */
  async function forgetAnswers(): Promise<void> {
    const beforeMs = clock.now() - settings.replayWindowMs
    while (store.charges.forgetAnswers(beforeMs, forgottenAtOnce) === forgottenAtOnce) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function round(): Promise<void> {
    try {
      if (chain !== undefined && check.state !== 'good') check = await checkToken(chain, settings)
      // What it finds is in `problems`, and an endpoint that cannot be asked is told by the others.
      await account?.checkFunds().catch(() => undefined)
      tell(problems())
      await reconcile()
      // While gas is too dear or the chain cannot be asked it waits on.
      await account?.replaceStuck().catch(() => undefined)
      await forgetAnswers()
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
