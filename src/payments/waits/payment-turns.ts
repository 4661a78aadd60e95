import { addressBlock } from '../../lib/client-blocks.ts'
import { waitInQueue } from '../../lib/waiter.ts'
import { leaseMs } from '../ledger/claims.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PayingClient } from '../paying-client.ts'
import type { WaitPlaces } from './wait-places.ts'

/** The attempt of one caller to buy something with a payment. It lasts until the answer is made, or has failed. */
interface Turn<Result> {
  readonly address: string
  readonly startedMs: number
  readonly over: Promise<TurnEnd<Result>>
}

type TurnEnd<Result> =
  /** The outcome of everybody who asks the same. */
  | { readonly kind: 'decided'; readonly result: Result }
  /** The payment has bought the request, or has changed: who waits has to ask again. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly error?: unknown }

export interface HeldTurn<Result> {
  readonly result: Result
  /** To be called when the result is used up. False: the payment is free again. */
  readonly end: (isAnswered: boolean) => void
}

/** Whether a result is that of all callers, that of the caller alone (who holds the turn), or none yet. */
export type Scope = 'all' | 'own' | 'none'

export type PaymentTurns = ReturnType<typeof createPaymentTurns>

const waitMsMax = 15_000

/**
 * One caller at a time tries to buy a request with a payment. The others wait for the outcome, and ask the store nothing
 * meanwhile. When a try fails, the callers of its address share the failure, and the next address in order of arrival
 * tries: repeats of one address delay the others by one try.
 */
export function createPaymentTurns(places: WaitPlaces) {
  const turns = new Map<string, Turn<unknown>>()

  /** Undefined where nobody tries. A turn whose caller never ended it does not outlive its lease. */
  function current<Result>(key: string): Turn<Result> | undefined {
    const turn = turns.get(key)
    if (turn === undefined || performance.now() - turn.startedMs > leaseMs) return undefined
    return turn as Turn<Result>
  }

  async function lead<Result>(
    key: string,
    address: string,
    work: () => Promise<Result>,
    scopeOf: (result: Result) => Scope,
  ): Promise<HeldTurn<Result>> {
    const { promise: over, resolve } = Promise.withResolvers<TurnEnd<Result>>()
    const turn = { address, startedMs: performance.now(), over }
    turns.set(key, turn)
    function finish(end: TurnEnd<Result>): void {
      if (turns.get(key) === turn) turns.delete(key)
      resolve(end)
    }
    try {
      const result = await work()
      const scope = scopeOf(result)
      if (scope === 'all') finish({ kind: 'decided', result })
      if (scope === 'none') finish({ kind: 'changed' })
      return { result, end: (isAnswered) => finish({ kind: isAnswered ? 'changed' : 'failed' }) }
    } catch (error) {
      finish({ kind: 'failed', error })
      throw error
    }
  }

  /** Waits for the turn of somebody else. Undefined: the caller may try. */
  async function follow<Result>(
    turn: Turn<Result>,
    address: string,
    deadlineMs: number,
  ): Promise<HeldTurn<Result> | undefined> {
    const end = await within(turn.over, deadlineMs - performance.now())
    if (end.kind === 'decided') return { result: end.result, end: () => {} }
    if (end.kind === 'changed' || turn.address !== address) return undefined
    throw (
      end.error ??
      new OutcomeUnknown('busy', 'The same request has just failed. The payment stays usable.', 1)
    )
  }

  return {
    /**
     * Runs the work when no other caller tries the same, or returns the result of one that did, if it is everybody's.
     * Rejects with `OutcomeUnknown` after 15 seconds, and at once where the address waits for too many payments.
     * @param key equal for calls that would buy the same request with the same payment
     */
    async take<Result>(
      key: string,
      { clientAddress, waiter }: PayingClient,
      work: () => Promise<Result>,
      scopeOf: (result: Result) => Scope,
    ): Promise<HeldTurn<Result>> {
      const address = addressBlock(clientAddress)
      const deadlineMs = performance.now() + waitMsMax
      for (;;) {
        const turn = current<Result>(key)
        if (turn === undefined) return await lead(key, address, work, scopeOf)
        const held = await places.wait(clientAddress, key, () =>
          waitInQueue({ name: '', waiter }, follow(turn, address, deadlineMs)),
        )
        if (held !== undefined) return held
      }
    },
  }
}

/** Rejects with `OutcomeUnknown` if the promise takes longer. */
async function within<T>(promise: Promise<T>, timeMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const words = 'The same request is still being answered.'
  const timer = setTimeout(() => reject(new OutcomeUnknown('busy', words)), timeMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
