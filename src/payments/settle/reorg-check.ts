import { createCoalescer } from '../../lib/waiter.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import type { Receipt } from '../chain/answers.ts'
import type { Chain, SettledTransfer } from '../chain/chain.ts'
import { readPayments, sumOf } from '../chain/transfers.ts'
import { payerLock, transferLock, transition } from '../ledger/claims.ts'
import { OutcomeUnknown } from '../payment-reasons.ts'
import { type Hex, type PaymentContext, type PaymentSettings, toMicros } from '../payment-settings.ts'

/** `unconfirmed`: in a block with too few confirmations. `reorged`: the chain dropped it. */
export type PaymentPresence = 'final' | 'unconfirmed' | 'reorged'

export type ReorgCheck = ReturnType<typeof createReorgCheck>

export function createReorgCheck(context: PaymentContext, chain: Chain) {
  const { store, clock, settings } = context

  async function check(payment: PaymentRow, priceMicros: number): Promise<PaymentPresence> {
    if (payment.txHash === null) throw unseen()
    const receipt = await chain.receipt(payment.txHash as Hex)
    if (receipt === null) return await checkElsewhere(payment, priceMicros)
    if (!(await chain.isFinal(receipt, priceMicros))) return 'unconfirmed'
    const money = transferIn(chain, settings, receipt, payment) ?? (await findElsewhere(chain, payment))
    return money === undefined ? await drop(payment) : await keep(payment, money)
  }

  /** Without a receipt the transaction has vanished only if another block has certainly replaced its own. */
  async function checkElsewhere(payment: PaymentRow, priceMicros: number): Promise<PaymentPresence> {
    const { blockNumber, blockHash, txHash } = payment
    const money = await findElsewhere(chain, payment)
    if (money !== undefined) return await keep(payment, money)
    if ((await chain.transaction(txHash as Hex)) !== null) throw unseen()
    if (payment.state === 'reorged') return 'reorged'
    // Only a facilitator reported it: no block was ever seen.
    if (blockNumber === null || blockHash === null || blockHash === '0x') throw unseen()
    if (!(await chain.isReplaced({ blockNumber, blockHash }, priceMicros))) throw unseen()
    return await drop(payment)
  }

  async function keep(payment: PaymentRow, money: SettledTransfer): Promise<PaymentPresence> {
    const isWhereItWas = payment.blockHash === money.blockHash && payment.txHash === money.txHash
    if (payment.state === 'settled' && isWhereItWas) return 'final'
    const nowMs = clock.now()
    function* move() {
      // Its block or its logs changed: they are recorded again.
      yield* store.payments.transition(payment.id, { ...dropping(payment), nowMs })
      return yield* store.payments.settle(payment.id, { ...money, nowMs })
    }
    const locks = [payerLock(payment), transferLock(money)]
    return (await store.transaction(move, { durable: true, locks })) ? 'final' : 'reorged'
  }

  async function drop(payment: PaymentRow): Promise<PaymentPresence> {
    await transition(context, payment.id, dropping(payment))
    return 'reorged'
  }

  const coalesce = createCoalescer<PaymentPresence>()

  /** Records a final change in either direction. Throws `OutcomeUnknown` where the chain shows too little. */
  return (payment: PaymentRow, priceMicros: number): Promise<PaymentPresence> => {
    const { id, state, txHash, blockHash } = payment
    const key = [id, state, txHash, blockHash, priceMicros].join()
    return coalesce(key, () => check(payment, priceMicros))
  }
}

function transferIn(chain: Chain, settings: PaymentSettings, receipt: Receipt, payment: PaymentRow) {
  if (payment.method === 'authorization') return chain.findSettlementIn(receipt, payment)
  const asset = { ...settings.asset, address: payment.asset as Hex }
  const paid = readPayments(receipt, { asset, payTo: payment.payTo as Hex })
  if (typeof paid === 'string') return undefined
  const own = paid.filter(({ payer }) => payment.scope === 'transaction' || payer === payment.payer)
  if (toMicros(sumOf(own), asset) < payment.amountMicros) return undefined
  const { txHash, blockNumber, blockHash } = receipt
  return { txHash, blockNumber, blockHash, logIndexes: own.flatMap(({ logIndexes }) => logIndexes) }
}

async function findElsewhere(chain: Chain, payment: PaymentRow): Promise<SettledTransfer | undefined> {
  return payment.method === 'authorization' ? await chain.findUsed(payment) : undefined
}

/** Applies only if the row is unchanged: another process may have found the transfer elsewhere meanwhile. */
function dropping({ txHash, blockHash }: PaymentRow) {
  return { from: ['settled'], to: 'reorged', ifTxHash: txHash, ifBlockHash: blockHash } as const
}

function unseen(): OutcomeUnknown {
  return new OutcomeUnknown('payments_unavailable', 'The chain does not show this payment at the moment.', 3)
}
