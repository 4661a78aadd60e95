import { addressBlock } from '../../lib/client-blocks.ts'
import type { Clock } from '../../lib/clock.ts'
import { createFairLimiter, LimiterFull } from '../../lib/fair-limiter.ts'
import { createRateLimit } from '../../lib/rate-limit.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PayingClient } from '../paying-client.ts'

export type VerificationLimiter = ReturnType<typeof createVerificationLimiter>

/** Honest payers fail now and then: an empty wallet, a signature for another network. */
const inVainPerMinute = 60
/** Beyond that, so many payments of an address are looked at a minute for whether their payer holds the money. */
const vouchedPerMinute = 600
const limiterOptions = {
  runningMax: 32,
  runningPerClientMax: 8,
  waitingMax: 2_000,
  waitingPerClientMax: 100,
}

/** Who stands behind a payment whose signature is right. */
export interface Payer {
  readonly address: string
  /** Whether the payer holds the money: one question to the chain. */
  readonly hasMoney: () => Promise<boolean>
}

/**
 * Limits the chain and facilitator requests that one client's payments may cause. Where an address has used its limit
 * up, a payer who signed and holds the money has a limit of its own: it does not share that of an attacker who calls
 * from the same address.
 */
export function createVerificationLimiter(clock: Clock) {
  const now = () => clock.now()
  const inVain = createRateLimit({ perMinute: inVainPerMinute, now })
  const vouched = createRateLimit({ perMinute: vouchedPerMinute, now })
  const limiter = createFairLimiter(limiterOptions)

  /** Whose limit holds for the payment. */
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
    /**
     * Runs `work` when it is the client's turn. Throws `OutcomeUnknown` if too much work of this client was in vain, as
     * `isInVain` tells by its outcome, or if too much is waiting.
     * @param payer known where the signature is right
     */
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
