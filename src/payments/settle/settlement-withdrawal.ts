import type { PaymentRow } from '../../store/payment-row.ts'
import { readQuantity } from '../chain/hex-values.ts'
import { nextBlockTimeMs } from '../chain/next-block-time.ts'
import type { Hex } from '../payment-settings.ts'
import type { GasWatch } from './gas-watch.ts'
import { isSentBy, raise, readSent, replaceTransaction, type SentSettlement } from './replace-transaction.ts'
import type { SettlerKey } from './settler-key.ts'

/** A settlement has so little time left that no block is likely to take it. */
const hopelessBeforeMs = 1_000
const retryMs = 5_000
/** Timers are set for no longer, since the clock may be set meanwhile. */
const timerMsMax = 60_000
/** Gas of a transaction that does nothing. */
const emptyGas = 21_000n

/** Whether a settlement can only revert from a block of that time on, because its authorization ends. */
export function isHopeless({ validUntilMs }: Pick<PaymentRow, 'validUntilMs'>, blockTimeMs: number): boolean {
  return validUntilMs !== null && validUntilMs - hopelessBeforeMs <= blockTimeMs
}

/**
 * Withdraws settlements that can only revert: the pool gets an empty transaction of the same nonce in their place, which
 * costs less and holds up nobody.
 */
export function createSettlementWithdrawal(
  key: SettlerKey,
  gas: GasWatch,
  /** Runs work when no other transaction is being made. */
  alone: <T>(work: () => Promise<T>) => Promise<T>,
) {
  const { rpc, account, settings, store, clock } = key
  const { address } = account
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueMs = Number.POSITIVE_INFINITY

  function isEmpty(row: SentSettlement): boolean {
    return readSent(row).to.toLowerCase() === address.toLowerCase()
  }

  async function isInPool({ txHash, settlerNonce }: SentSettlement): Promise<boolean> {
    const [mined, isKnown] = await Promise.all([
      rpc.first('eth_getTransactionCount', [address, 'latest'], readQuantity),
      rpc.first('eth_getTransactionByHash', [txHash], (answer) => answer !== null),
    ])
    return isKnown && settlerNonce >= mined
  }

  /** Returns the hash of the transaction in its place; undefined if there is none, because the settlement does not wait. */
  async function withdraw(payment: PaymentRow): Promise<Hex | undefined> {
    const row = await store.payments.byId(payment.id)
    if (row?.state !== 'submitted' || !isSentBy(key, row) || isEmpty(row)) return undefined
    if (!(await isInPool(row))) return undefined
    const fees = bid(readSent(row), await gas.fees())
    if (fees.maxFeePerGas > settings.gasPriceWeiMax) return undefined
    const { chainId } = settings
    const empty = { type: 'eip1559', chainId, to: address, data: '0x', gas: emptyGas, ...fees } as const
    return await replaceTransaction(key, row, empty)
  }

  /** Withdraws every settlement that can only revert, and looks again when the next one ends. */
  async function sweep(): Promise<void> {
    const open = (await store.payments.open()).filter((row) => isSentBy(key, row) && !isEmpty(row))
    const hasDue = open.some((row) => isHopeless(row, clock.now()))
    const blockTimeMs = hasDue ? await nextBlockTimeMs(rpc).catch(() => 0) : 0
    for (const row of open) {
      const isDue = isHopeless(row, blockTimeMs)
      const isWithdrawn = isDue && (await withdraw(row).catch(() => undefined)) !== undefined
      if (!isWithdrawn) watch(row)
    }
  }

  /** Looks at the settlement again when its authorization ends. */
  function watch({ validUntilMs }: Pick<PaymentRow, 'validUntilMs'>): void {
    if (validUntilMs === null) return
    const nowMs = clock.now()
    const isLate = isHopeless({ validUntilMs }, nowMs)
    const nextMs = isLate ? nowMs + retryMs : validUntilMs - hopelessBeforeMs
    if (nextMs >= dueMs) return
    dueMs = nextMs
    clearTimeout(timer)
    timer = setTimeout(look, Math.min(nextMs - nowMs, timerMsMax))
    timer.unref?.()
  }

  /** Nothing is lost where this fails: the maintenance loop tries again. */
  async function look(): Promise<void> {
    dueMs = Number.POSITIVE_INFINITY
    await alone(sweep).catch(() => undefined)
  }

  return {
    withdraw: (payment: PaymentRow) => alone(() => withdraw(payment)),
    sweep: () => alone(sweep),
    watch,
    stop: () => clearTimeout(timer),
  }
}

interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Enough to be mined now, and to replace what was bid before. */
function bid(before: Fees, now: Fees): Fees {
  return {
    maxFeePerGas: greater(raise(before.maxFeePerGas), now.maxFeePerGas),
    maxPriorityFeePerGas: greater(raise(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas),
  }
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
