import type { Chain, SettledTransfer } from './chain/chain.ts'
import { isTooOld } from './chain/transfer-verifier.ts'
import { checkShown } from './check-binding.ts'
import type { AuthorizationEntry } from './ledger/new-row.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentContext } from './payment-context.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import { confirmationsFor } from './payment-settings.ts'
import { type ClaimContext, claimPayment, type Decision, type Purchase } from './purchase.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'

interface AdoptDeps extends PaymentContext, ClaimContext {
  /** Undefined without an RPC. */
  readonly chain: Chain | undefined
  readonly firstStartMs: number
}

/** Somebody else settled our payer's authorization. The money is here, so it buys the request. */
export async function adopt(
  deps: AdoptDeps,
  offered: OfferedAuthorization,
  entry: AuthorizationEntry,
  settled: SettledTransfer,
  purchase: Purchase,
): Promise<Decision> {
  const { ledger } = deps
  const refusal = await checkSettled(deps, settled, purchase)
  if (refusal !== undefined) return refusal
  // Anybody may show an authorization that is on chain already, unless it answers a challenge of ours.
  const binding = offered.via === 'mpp' ? entry.binding : null
  const payment = await ledger.adopt({ ...entry, binding }, settled)
  if ('kind' in payment) return payment
  return checkShown(payment, offered, purchase, deps) ?? (await claimPayment(deps, payment, purchase))
}

/** Whether a settlement by somebody else is deep enough and recent enough. */
async function checkSettled(
  deps: AdoptDeps,
  { blockNumber }: SettledTransfer,
  { priceMicros }: Purchase,
): Promise<PaymentRefusal | undefined> {
  const { chain, settings } = deps
  if (chain === undefined) return undefined
  const [head, block] = await Promise.all([chain.head(), chain.block(blockNumber)])
  if (Math.max(head.number - blockNumber + 1, 1) < confirmationsFor(settings, priceMicros)) {
    throw new OutcomeUnknown('settlement_pending', 'The settlement needs more confirmations.')
  }
  return block === null || isTooOld(block, deps) ? refuse('payment_too_old') : undefined
}
