import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { AuthorizationReference, Chain } from '../chain/chain.ts'
import { transition } from '../ledger/payment-rows.ts'
import { OutcomeUnknown, refuse } from '../payment-reasons.ts'
import type { PaymentContext, PaymentSettings } from '../payment-settings.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import {
  createFacilitatorClient,
  type FacilitatorClient,
  isUsedError,
  logNoVerdict,
  readFacilitatorError,
} from './facilitator-client.ts'
import type { Settlement, Settler } from './settler.ts'

interface Deps extends PaymentContext {
  readonly facilitator: NonNullable<PaymentSettings['facilitator']>
  /** Confirms on chain what the facilitator says; undefined without an RPC. */
  readonly chain: Chain | undefined
}

/** Stands in a payment's row for good once a facilitator was asked to settle it. */
const facilitatorName = 'facilitator'

/** Settles through a facilitator. */
export function createFacilitatorSettler(deps: Deps): Settler {
  const { facilitator, settings, chain, log } = deps
  const call = createFacilitatorClient(facilitator, settings)

  const settle: Settler['settle'] = async (payment, offered, offer) => {
    const timeoutMs = settings.settleTimeoutMs
    const deadlineMs = performance.now() + timeoutMs
    offer.waiter?.begin()
    if (!(await markSettler(payment, facilitatorName)))
      throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
    const { isAccepted, errorCode, txHash } = await call('settle', offered, offer, timeoutMs).catch(
      (error: unknown) => ({ isAccepted: undefined, errorCode: error, txHash: undefined }),
    )
    if (isAccepted === true) {
      if (chain !== undefined && settings.verifyFacilitator) return await confirm(chain, payment, deadlineMs)
      if (txHash !== undefined)
        return { kind: 'settled', txHash, blockNumber: 0, blockHash: '0x', logIndexes: [] } as const
      throw new OutcomeUnknown('settlement_pending', 'The facilitator names no transaction.')
    }
    const found = await chain?.findUsed(payment)
    if (found !== undefined) return { kind: 'settled', ...found } as const
    // Without an RPC nobody can see whether an earlier attempt has settled.
    const isFirstAttempt = chain !== undefined || payment.settler === null
    const isRefused = isAccepted === false && txHash === undefined && isFirstAttempt
    const reason = isRefused ? readFacilitatorError('settle', errorCode) : undefined
    if (reason !== undefined) {
      await markSettler(payment, null)
      return refuse(reason)
    }
    logNoVerdict(log, facilitator, 'settle', errorCode)
    throw new OutcomeUnknown('settlement_pending', 'The facilitator does not say whether it settled.', 5)
  }

  function markSettler({ id }: PaymentRow, settler: string | null): Promise<boolean> {
    const from = settler === null ? (['submitted'] as const) : (['reserved', 'submitted'] as const)
    return transition(deps, id, { from, to: 'submitted', changes: { settler } })
  }

  return { check: createFacilitatorCheck(deps, call), settle }
}

const verifyTimeoutMs = 5_000

/** Asks the facilitator's /verify, which broadcasts nothing, so an unknown outcome costs nobody anything. */
function createFacilitatorCheck(deps: Deps, call: FacilitatorClient): Settler['check'] {
  const { settings, chain, facilitator, log } = deps

  /** Without a verdict. A wallet without the money is refused by the chain, which needs no facilitator. */
  async function unable(
    { authorization: { from, value } }: OfferedAuthorization,
    words: string,
    seconds = 2,
  ) {
    const balance = await chain?.balanceOf(settings.asset.address, from)
    if (balance !== undefined && balance < value) return refuse('insufficient_funds')
    const error = new OutcomeUnknown('payments_unavailable', words, seconds)
    return { kind: 'unable', error } as const
  }

  return async (offered, offer) => {
    const verdict = await call('verify', offered, offer, verifyTimeoutMs).catch((error) => {
      logNoVerdict(log, facilitator, 'verify', error)
    })
    if (verdict === undefined) return await unable(offered, 'The facilitator cannot be asked.')
    const { isAccepted, errorCode } = verdict
    if (isAccepted) return { kind: 'checked', balanceMicros: Number.POSITIVE_INFINITY }
    // The facilitator may see a block that our RPC does not see yet.
    if (chain !== undefined && isUsedError(errorCode)) {
      throw new OutcomeUnknown('settlement_pending', 'The facilitator says that it was settled already.', 5)
    }
    const reason = readFacilitatorError('verify', errorCode)
    if (reason !== undefined) return refuse(reason)
    logNoVerdict(log, facilitator, 'verify', errorCode)
    return await unable(offered, 'The facilitator does not say what is wrong.', 5)
  }
}

const pollMs = 250

/** Waits until the chain shows the settlement that the facilitator claims. */
async function confirm(
  chain: Chain,
  reference: AuthorizationReference,
  deadlineMs: number,
): Promise<Settlement> {
  for (;;) {
    const found = await chain.findUsed(reference).catch(ignoreUnknown)
    if (found !== undefined) return { kind: 'settled', ...found }
    if (performance.now() + pollMs > deadlineMs) {
      const words = 'The facilitator says that it settled, and the chain knows nothing of it yet.'
      throw new OutcomeUnknown('settlement_pending', words, 5)
    }
    await sleep(pollMs)
  }
}

/** A settlement that needs more confirmations is waited for. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof OutcomeUnknown)) throw error
}
