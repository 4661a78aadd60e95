import { secondsUntil } from '../../lib/clock.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import { type Block, toQuantity } from '../chain/answers.ts'
import type { Chain } from '../chain/chain.ts'
import { RpcRejected } from '../chain/rpc.ts'
import { readRevert, settlementCall } from '../chain/signatures.ts'
import { OutcomeUnknown, type PaymentReason, type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { confirmationsFor, type Hex, type PaymentContext, toMicros } from '../payment-settings.ts'
import type { Settler, Unable } from '../purchase.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { recordSettlementCost } from './settlement-resolver.ts'
import type { SettlerAccount } from './settler-account.ts'

interface SelfSettlerDeps extends PaymentContext {
  readonly chain: Chain
  readonly account: SettlerAccount
}

/** Settles with a key of our own, which holds gas and nothing else. */
export function createSelfSettler(deps: SelfSettlerDeps): Settler {
  const { account, chain, settings } = deps

  const settle: Settler['settle'] = async (payment, offered, { waiter }) => {
    const hasCode = await chain.hasCode(offered.authorization.from)
    const call = settlementCall(offered, settings)
    const admit = () => admitSettlement(deps, payment.payer, hasCode)
    // Once it is sent, no refusal of the chain means that the money stays.
    const sent = await account.send(payment, call, admit, waiter).catch((error: unknown) => {
      if (error instanceof RpcRejected) return error
      throw error
    })
    if (sent instanceof RpcRejected) return await explainRejection(chain, payment, sent)
    if (typeof sent !== 'string') return sent
    if (settings.settleWait === 'submitted') return { kind: 'submitted', txHash: sent }
    return await awaitSettlement(deps, payment, sent)
  }

  return { check: createSettlementCheck(deps), settle }
}

async function awaitSettlement(deps: SelfSettlerDeps, payment: PaymentRow, txHash: Hex) {
  const { chain, settings } = deps
  const needed = confirmationsFor(settings, payment.amountMicros)
  const deadlineMs = performance.now() + settings.settleTimeoutMs
  // A head that was seen before the receipt was read: a newer one may hold the transaction already.
  let next: Block | undefined
  for (;;) {
    const [receipt, head] = await Promise.all([chain.receipt(txHash), chain.head()])
    if (receipt !== null) {
      const settled = chain.findSettlementIn(receipt, payment)
      if (settled !== undefined) await recordSettlementCost(deps, chain, payment, receipt, true)
      const isDeep = Math.max(head.number - receipt.blockNumber + 1, 1) >= needed
      if (isDeep && settled !== undefined) return { kind: 'settled', ...settled } as const
      if (isDeep) {
        const elsewhere = await findElsewhere(chain, payment)
        await recordSettlementCost(deps, chain, payment, receipt, elsewhere.kind === 'settled')
        return elsewhere
      }
    }
    const seen = receipt === null ? (next?.number ?? head.number - 1) : head.number
    next = await chain.headAbove(seen, deadlineMs)
    if (next !== undefined) continue
    const found = receipt === null ? await chain.findSettlement(payment) : undefined
    // Ours can only revert now.
    if (found !== undefined) return { kind: 'settled', ...found } as const
    throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not confirmed yet.', 5)
  }
}

async function explainRejection(chain: Chain, payment: PaymentRow, { message }: RpcRejected) {
  const reason = readRevert(message)
  if (reason === 'invalid_exact_evm_payload_authorization_used')
    return await findElsewhere(chain, payment, true)
  if (reason === 'settlement_gas_too_high' || /revert/i.test(message)) return refuse(reason)
  throw new OutcomeUnknown('payments_unavailable', `The settlement cannot be sent: ${message}`, 30)
}

/** The settlement that somebody else sent, whose money counts all the same; refused if there is none. */
async function findElsewhere(chain: Chain, payment: PaymentRow, isUsedInPendingBlock = false) {
  const found = await chain.findSettlement(payment)
  if (found !== undefined) return { kind: 'settled', ...found } as const
  const isUsed = await chain.isUsed(payment)
  if (!isUsed && isUsedInPendingBlock)
    throw new OutcomeUnknown('settlement_pending', 'Another transaction carries it, which is not mined yet.')
  return refuse(isUsed ? 'invalid_exact_evm_payload_authorization_used' : 'settlement_failed')
}

/** More gas than any honest wallet needs to check a signature. */
const generousGas = 3_000_000

/** Checks by the payer's balance and a simulation whether an authorization would settle now. */
function createSettlementCheck(deps: SelfSettlerDeps): Settler['check'] {
  const { account, chain, settings } = deps
  const { asset } = settings

  return async (offered) => {
    const { from, value } = offered.authorization
    const inability = account.gas.check().then(() => undefined, toInability)
    const [balance, obstacle, hasCode] = await Promise.all([
      chain.balanceOf(asset.address, from),
      simulate(deps, offered, settings.settleGasMax),
      chain.hasCode(from),
    ])
    if (balance < value) return refuse('insufficient_funds')
    if (obstacle === 'invalid_exact_evm_payload_signature' && hasCode) {
      // The wallet's own code was asked by the token: it refused, or had too little gas to accept.
      const isCostly = (await simulate(deps, offered, generousGas)) !== obstacle
      return refuse(isCostly ? 'settlement_gas_too_high' : obstacle)
    }
    // Used in the pending block: somebody else's transaction waits there, and our settlement will find it.
    if (obstacle !== undefined && obstacle !== 'invalid_exact_evm_payload_authorization_used')
      return refuse(obstacle)
    // The server's own ability is judged last, when it is known that the payer has done all that is needed.
    const unable = (await inability) ?? (await admitSettlement(deps, from, hasCode).catch(toInability))
    return unable ?? { kind: 'checked', balanceMicros: toMicros(balance, asset) }
  }
}

async function simulate(
  { account, chain, settings }: SelfSettlerDeps,
  offered: OfferedAuthorization,
  gas: number,
): Promise<PaymentReason | undefined> {
  try {
    const call = settlementCall(offered, settings)
    await chain.call({ ...call, from: account.address, gas: toQuantity(gas) }, 'pending')
    return undefined
  } catch (error) {
    if (error instanceof RpcRejected) return readRevert(error.message)
    throw error
  }
}

function toInability(error: unknown): Unable {
  return { kind: 'unable', error }
}

const failuresMax = 3
const failuresForMs = 3_600_000
/** A contract can burn all its gas, a key the price of a revert. Each settlement that went well allows one more under way. */
const openMax = { contract: 3, key: 20 }
const settledForMs = 86_400_000
const settledMax = 100
/** After so many failures of all payers, contracts that never paid must wait: new ones are cheap to deploy. */
const alarmFailures = 20
const alarmForMs = 600_000

/** Limits the gas that a payer can waste, by counts in the store. Throws `OutcomeUnknown` if too many are under way. */
async function admitSettlement(
  { store: { settlements }, clock, settings }: PaymentContext,
  payer: string,
  hasCode: boolean,
): Promise<PaymentRefusal | undefined> {
  const now = clock.now()
  const base = hasCode ? openMax.contract : openMax.key
  // Read before the failures: one that fails meanwhile is then counted twice instead of not at all.
  const open = await settlements.openOf(settings.chainId, payer, base + settledMax)
  const failures = await settlements.failuresOf(payer, now - failuresForMs, failuresMax)
  const oldest = failures.at(-1)
  if (oldest !== undefined && failures.length >= failuresMax)
    return refuse('payer_settlements_failed', secondsUntil(oldest + failuresForMs, now, failuresForMs))
  const settled = await settlements.settledOf(payer, now - settledForMs, settledMax)
  const isUnproven = hasCode && settled === 0
  if (isUnproven && (await settlements.failures(now - alarmForMs, alarmFailures)) >= alarmFailures) {
    const words = 'Many settlements fail at this moment: smart wallets that never paid here have to wait.'
    throw new OutcomeUnknown('busy', words, 60)
  }
  if (open < base - failures.length + settled) return undefined
  throw new OutcomeUnknown('busy', 'Too many settlements of this payer are under way.', 2)
}
