import type { TransactionSerializableEIP1559 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { formatGwei, keccak256, parseTransaction } from 'viem/utils'
import { FairLimiter } from '../../lib/fair-limiter.ts'
import { createCoalescer, type Waiter } from '../../lib/waiter.ts'
import type { Steps } from '../../store/database.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import { type Call, readBigInt, readHex, readQuantity, toQuantity } from '../chain/answers.ts'
import { type Rpc, RpcRejected } from '../chain/rpc.ts'
import { settlerLock, transition } from '../ledger/claims.ts'
import { OutcomeUnknown, type PaymentRefusal } from '../payment-reasons.ts'
import type { Hex, PaymentContext } from '../payment-settings.ts'

const attemptsMax = 8
const stuckAfterMs = 60_000
/** Gas of a transaction that does nothing. */
const emptyGas = 21_000n
/** Typical gas limit of a settlement. */
const settlementGas = 100_000n

export interface SettlerKey extends PaymentContext {
  readonly account: PrivateKeyAccount
}

type UnsignedSettlement = Omit<TransactionSerializableEIP1559, 'nonce'>

type SentSettlement = PaymentRow & Readonly<{ txHash: Hex; settlerNonce: number; rawTransaction: Hex }>

export type SettlerAccount = ReturnType<typeof createSettlerAccount>

/** The account that pays gas. It sends one transaction after the other, and stores each before it is broadcast. */
export function createSettlerAccount(context: PaymentContext, rpc: Rpc, privateKey: Hex) {
  const { store, clock, settings } = context
  const { chainId, settleGasMax } = settings
  const key = { ...context, account: privateKeyToAccount(privateKey) }
  const { account } = key
  const { address } = account
  const gas = createGasWatch(address, settings, rpc)
  /** One at a time: two transactions must not take the same nonce. */
  const queue = new FairLimiter({ runningMax: 1 })

  function countOf(block: 'latest' | 'pending'): Promise<number> {
    return rpc.first('eth_getTransactionCount', [address, block], readQuantity)
  }

  async function openSettlements(): Promise<readonly SentSettlement[]> {
    const open = (await store.payments.open()).filter((row): row is SentSettlement => {
      const isOurs = row.chainId === chainId && row.settler === address.toLowerCase()
      return isOurs && row.txHash !== null && row.settlerNonce !== null && row.rawTransaction !== null
    })
    return open.toSorted((a, b) => a.settlerNonce - b.settlerNonce)
  }

  /** `taken`: another transaction has the nonce. Throws `RpcRejected` where the chain refuses, else `RpcUnavailable`. */
  async function broadcast(rawTransaction: Hex): Promise<'sent' | 'taken'> {
    try {
      await rpc.first('eth_sendRawTransaction', [rawTransaction], readHex)
      return 'sent'
    } catch (error) {
      if (!(error instanceof RpcRejected)) throw error
      if (/already known|already imported|known transaction/i.test(error.message)) return 'sent'
      if (/nonce too low|underpriced/i.test(error.message)) return 'taken'
      throw error
    }
  }

  /** A stored transaction that never arrived would block all later ones, so it is sent again. */
  async function rebroadcast(pendingNonce: number): Promise<void> {
    for (const { settlerNonce, rawTransaction } of await openSettlements())
      if (settlerNonce >= pendingNonce) await broadcast(rawTransaction).catch(() => undefined)
  }

  async function transactionFor(call: Call): Promise<UnsignedSettlement> {
    const asked = [{ ...call, from: address, gas: toQuantity(settleGasMax) }, 'pending']
    const [fees, estimate] = await Promise.all([gas.fees(), rpc.first('eth_estimateGas', asked, readBigInt)])
    // The limit bounds what a settlement costs if it behaves otherwise than the estimate.
    const gasLimit = lesser((estimate * 5n) / 4n, BigInt(settleGasMax))
    return { type: 'eip1559', chainId, to: call.to, data: call.data, gas: gasLimit, ...fees }
  }

  async function send(
    payment: PaymentRow,
    call: Call,
    admit: () => Promise<PaymentRefusal | undefined>,
    waiter?: Waiter,
  ): Promise<Hex | PaymentRefusal> {
    waiter?.begin()
    const refusal = await admit()
    if (refusal !== undefined) return refusal
    let nonceMin = 0
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const [pending, unsigned] = await Promise.all([countOf('pending'), transactionFor(call)])
      await rebroadcast(pending)
      const signed = await signWithNextNonce(key, payment, unsigned, Math.max(pending, nonceMin))
      try {
        if ((await broadcast(signed.raw)) === 'sent') return signed.txHash
      } catch (error) {
        // The chain refused it for good: it was never under way, and its nonce is free.
        const changes = { txHash: null, settlerNonce: null, rawTransaction: null }
        const step = { from: ['submitted'], to: 'reserved', ifTxHash: signed.txHash, changes } as const
        if (error instanceof RpcRejected) await transition(key, payment.id, step)
        throw error
      }
      nonceMin = signed.nonce + 1
    }
    throw new OutcomeUnknown('payments_unavailable', 'The settler’s nonce is contended.')
  }

  /**
   * Replaces the oldest unmined transaction by one with higher fees (replace-by-fee), because all later ones wait
   * behind it. A settlement is replaced by its own: either settles the same authorization. A nonce whose payment was
   * decided otherwise is used up by an empty transaction.
   */
  async function replaceStuck(): Promise<void> {
    const nonce = await countOf('latest')
    const oldest = (await openSettlements()).find(({ settlerNonce }) => settlerNonce >= nonce)
    if (oldest === undefined || clock.now() - oldest.updatedAtMs < stuckAfterMs) return
    const fees = await gas.fees()
    if (oldest.settlerNonce === nonce) return await bumpFee(oldest, fees)
    const empty = { type: 'eip1559', chainId, to: address, gas: emptyGas, nonce, ...fees } as const
    await broadcast(await account.signTransaction(empty))
  }

  async function bumpFee(stuck: SentSettlement, fees: Fees): Promise<void> {
    const { id, txHash: oldHash, rawTransaction: oldRaw, settlerNonce: nonce } = stuck
    const { to, data = '0x', gas: gasLimit = 0n, ...before } = parseTransaction(oldRaw)
    if (fees.maxFeePerGas < raise(before.maxFeePerGas)) return
    if (fees.maxPriorityFeePerGas < raise(before.maxPriorityFeePerGas)) return
    const unsigned = { type: 'eip1559', chainId, to: to ?? '0x', data, gas: gasLimit, ...fees } as const
    const raw = await account.signTransaction({ ...unsigned, nonce })
    const txHash = keccak256(raw)
    const step = { from: ['submitted'], to: 'submitted' } as const
    const changes = { txHash, rawTransaction: raw }
    if (!(await transition(key, id, { ...step, ifTxHash: oldHash, changes }))) return
    if ((await broadcast(raw)) === 'sent') return
    const back = { txHash: oldHash, rawTransaction: oldRaw }
    await transition(key, id, { ...step, ifTxHash: txHash, changes: back })
  }

  return {
    address,
    gas,
    replaceStuck: () => queue.run('', replaceStuck),
    /**
     * Returns the transaction's hash, or what `admit` refuses when the queue reaches it. Throws `RpcRejected` where
     * the chain refuses; `OutcomeUnknown` or `RpcUnavailable` where nobody can tell whether it arrived, or while gas
     * costs too much.
     */
    send(...of: Parameters<typeof send>): ReturnType<typeof send> {
      const [, , , waiter] = of
      return queue.run({ name: '', waiter }, () => send(...of))
    },
  }
}

/** Processes with one database share the nonces. Stores the transaction; again if another process took the nonce. */
export async function signWithNextNonce(
  { store, clock, settings: { chainId }, account }: SettlerKey,
  payment: PaymentRow,
  unsigned: UnsignedSettlement,
  nonceMin: number,
) {
  const settler = account.address.toLowerCase()
  function* nextFreeNonce(from: number): Steps<number> {
    const taken = yield* store.payments.openSettlerNonces(chainId, settler, payment.id)
    let nonce = from
    while (taken.includes(nonce)) nonce += 1
    return nonce
  }
  for (;;) {
    const nonce = await store.transaction(() => nextFreeNonce(nonceMin))
    const raw = await account.signTransaction({ ...unsigned, nonce })
    const txHash = keccak256(raw)
    const changes = { txHash, settler, settlerNonce: nonce, rawTransaction: raw }
    const from = ['reserved', 'submitted'] as const
    const isStored = await store.transaction(
      function* () {
        if ((yield* nextFreeNonce(nonce)) !== nonce) return false
        const step = { from, to: 'submitted', changes, nowMs: clock.now() } as const
        if (yield* store.payments.transition(payment.id, step)) return true
        throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
      },
      { durable: true, locks: [settlerLock(chainId, settler)] },
    )
    if (isStored) return { raw, txHash, nonce }
  }
}

type Fees = Readonly<Record<'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>>

/** The gas price, and whether the settler can afford it within `X402_MAX_FEE_GWEI`. */
function createGasWatch(address: Hex, { gasPriceWeiMax }: PaymentContext['settings'], rpc: Rpc) {
  let priceProblem: string | undefined
  let balanceProblem: string | undefined
  const coalesce = createCoalescer<void>()

  /** Fees for a transaction sent now. Throws `OutcomeUnknown` while gas costs more than allowed. */
  async function fees(): Promise<Fees> {
    const gasPrice = await rpc.first('eth_gasPrice', [], readBigInt)
    const isDear = gasPrice > gasPriceWeiMax
    priceProblem = isDear
      ? `Gas costs ${formatGwei(gasPrice)} gwei, X402_MAX_FEE_GWEI allows ${formatGwei(gasPriceWeiMax)}.`
      : undefined
    if (isDear) throw unaffordable('Gas costs more at this moment than this server pays for a settlement.')
    const maxFeePerGas = lesser(gasPrice * 2n, gasPriceWeiMax)
    return { maxFeePerGas, maxPriorityFeePerGas: lesser(gasPrice / 10n, maxFeePerGas) }
  }

  const balanceWei = () => rpc.first('eth_getBalance', [address, 'latest'], readBigInt)

  async function check(): Promise<void> {
    const [{ maxFeePerGas }, balance] = await Promise.all([fees(), balanceWei()])
    const needed = settlementGas * maxFeePerGas
    const isEmpty = balance < needed
    balanceProblem = isEmpty
      ? `The settler ${address} holds too little for gas: ${balance} wei, a settlement needs ${needed}.`
      : undefined
    if (isEmpty) throw unaffordable('The settler is out of gas.')
  }

  return {
    fees,
    balanceWei,
    problem: () => priceProblem ?? balanceProblem,
    /** Throws `OutcomeUnknown` while gas costs too much or the balance is too low. Calls at the same time share a check. */
    check: () => coalesce('', check),
  }
}

const gasRetryAfterSeconds = 30

function unaffordable(message: string): OutcomeUnknown {
  return new OutcomeUnknown('payments_unavailable', message, gasRetryAfterSeconds)
}

/** The least that a replacement must bid. Nodes want a tenth more; an eighth is on the safe side. */
function raise(before = 0n): bigint {
  return (before * 9n + 7n) / 8n
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
