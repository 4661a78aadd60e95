import { addressBlock } from '../../lib/address-block.ts'
import type { Clock } from '../../lib/clock.ts'
import { createFairLimiter, LimiterFull } from '../../lib/fair-limiter.ts'
import { createRateLimit } from '../../lib/rate-limit.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'

export type VerificationLimiter = ReturnType<typeof createVerificationLimiter>

/** Honest payers fail now and then: an empty wallet, a signature for another network. */
const inVainPerMinute = 60
const limiterOptions = {
  runningMax: 32,
  runningPerClientMax: 8,
  waitingMax: 2_000,
  waitingPerClientMax: 100,
}

/** Limits the chain and facilitator requests that one client's payments may cause. */
export function createVerificationLimiter(clock: Clock) {
  const inVain = createRateLimit({ perMinute: inVainPerMinute, now: () => clock.now() })
  const limiter = createFairLimiter(limiterOptions)

  function checkLimit(client: string): void {
    const waitSeconds = inVain.waitSeconds(client)
    if (waitSeconds === 0) return
    const words = 'Your address has offered too many payments that are worth nothing.'
    throw new OutcomeUnknown('busy', words, waitSeconds)
  }

  return {
    /**
     * Runs `work` when it is the client's turn. Throws `OutcomeUnknown` if too much work of this client was in vain, as
     * `isInVain` tells by its outcome, or if too much is waiting.
     */
    async run<T>(
      clientAddress: string,
      work: () => Promise<T>,
      isInVain: (outcome: T) => boolean,
    ): Promise<T> {
      const client = addressBlock(clientAddress)
      checkLimit(client)
      try {
        return await limiter.run(client, async () => {
          // Checked again: other work of the client may have failed meanwhile.
          checkLimit(client)
          const outcome = await work()
          if (isInVain(outcome)) inVain.acquire(client)
          return outcome
        })
      } catch (error) {
        if (!(error instanceof LimiterFull)) throw error
        throw new OutcomeUnknown('busy', 'Too many payments wait to be checked.', 2)
      }
    },
  }
}
