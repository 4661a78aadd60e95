import { LRUCache } from 'lru-cache'
import { addressBlock } from '../lib/client-blocks.ts'
import type { Clock } from '../lib/clock.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import { createRateLimit } from '../lib/rate-limit.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import type { PayerChoice, TransferOffer, TransferVerifier } from './chain/transfer-verifier.ts'
import type { Ledger } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentContext } from './payment-context.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import { type Hex, termsInLowerCase } from './payment-settings.ts'
import type { Purchase } from './purchase.ts'

export interface TransferRecorderDeps extends Pick<PaymentContext, 'settings' | 'clock'> {
  readonly ledger: Ledger
  /** Undefined without an RPC: then only payments in the ledger can be drawn on. */
  readonly verifyTransfer: TransferVerifier | undefined
}

/** Whose transfers a caller wants to pay with. */
interface KeyedChoice {
  /** Equal for callers whose choice is the same. */
  readonly key: string
  readonly choose: PayerChoice
}

const cachedHashesMax = 10_000
const cachedForMs = 60_000

/** Takes transfers from the chain into the ledger. */
export function createTransferRecorder({ settings, clock, ledger, verifyTransfer }: TransferRecorderDeps) {
  const countLookup = createLookupLimit(clock)
  /** Transactions in which signed authorizations moved all that we got. */
  const authorizationsOnly = new LRUCache<Hex, true>({ max: cachedHashesMax, ttl: cachedForMs })

  const coalesce = createCoalescer<PaymentRow | PaymentRefusal>()

  /**
   * Records the chosen payer's transfers once they are confirmed. The callers of one address who show the same transaction
   * share one lookup, one wait and one record. Throws `OutcomeUnknown` or `RpcUnavailable`.
   */
  function record(
    txHash: Hex,
    { clientAddress, priceMicros }: Purchase,
    { key, choose }: KeyedChoice,
  ): Promise<PaymentRow | PaymentRefusal> {
    const offer = { txHash, priceMicros, clientAddress, choose }
    const same = `${addressBlock(clientAddress)} ${txHash} ${priceMicros} ${key}`
    return coalesce(same, () => verifyAndRecord(offer))
  }

  async function verifyAndRecord(offer: TransferOffer): Promise<PaymentRow | PaymentRefusal> {
    const { txHash, clientAddress } = offer
    if (verifyTransfer === undefined)
      throw new OutcomeUnknown('payments_unavailable', 'No RPC is configured.', 60)
    if (authorizationsOnly.has(txHash)) return refuse('payment_made_by_authorization')
    countLookup(clientAddress)
    const verified = await verifyTransfer(offer)
    if (verified.kind === 'refused') {
      if (verified.reason === 'payment_made_by_authorization') authorizationsOnly.set(txHash, true)
      return verified
    }
    const { kind: _, logIndexes, binding = null, ...transfer } = verified
    const entry = { ...transfer, ...termsInLowerCase(settings), chainId: settings.chainId, binding }
    return await ledger.record(
      { ...entry, method: 'transfer', via: 'transfer', state: 'settled' },
      logIndexes,
    )
  }

  return { record, countLookup }
}

/** Chain lookups that one client address may cause. */
const lookupsPerMinute = 600

/** Anybody may send any hash, so the chain lookups for one client address are limited. */
function createLookupLimit(clock: Clock): (clientAddress: string) => void {
  const lookups = createRateLimit({ perMinute: lookupsPerMinute, now: () => clock.now() })
  return (clientAddress) => {
    const waitSeconds = lookups.acquire(clientAddress)
    if (waitSeconds > 0)
      throw new OutcomeUnknown('busy', 'Your address asks about too many transactions.', waitSeconds)
  }
}
