import { expect } from 'bun:test'
import type { Store } from '../../src/store/open.ts'

const common = { via: 'transfer', chainId: 1, asset: '0xa', payTo: '0xb', amountMicros: 10_000 }

/** Adds a transfer as every version with a ledger could record it, whatever columns came later. */
export const insertOlderPayment = `
  insert into payments (id, method, via, chain_id, asset, pay_to, payer, tx_hash, amount_micros, state, created_at_ms, updated_at_ms)
  values ('pay_older', 'transfer', 'transfer', 1, '0xa', '0xb', '0xc', '0xf0', 30000, 'settled', 1, 1)`

/** Expects that the payment is as it was, that nobody gets a second one from its transaction, and that new ones are apart. */
export async function expectOlderPaymentKept({ payments, transaction }: Store): Promise<void> {
  let serial = 0
  async function add(txHash: string, payer: string, logIndex: number) {
    serial += 1
    const row = {
      ...common,
      id: `pay_${serial}`,
      method: 'transfer',
      payer,
      txHash,
      state: 'settled',
    } as const
    const dated = { ...row, createdAtMs: serial + 1, updatedAtMs: serial + 1 }
    return (await transaction(() => payments.insertTransfer(dated, [logIndex])))?.id
  }
  expect(await add('0xf0', '0xd', 1)).toBeUndefined()
  expect(await add('0xf0', '0xc', 0)).toBe('pay_older')
  const stored = await payments.byTransaction(1, '0xf0')
  expect(stored).toMatchObject([
    { id: 'pay_older', payer: '0xc', amountMicros: 30_000, scope: 'transaction' },
  ])
  const own = [await add('0xf1', '0xc', 0), await add('0xf1', '0xd', 1), await add('0xf1', '0xc', 0)]
  expect(own).toEqual(['pay_3', 'pay_4', 'pay_3'])
  expect(await add('0xf1', '0xe', 1)).toBeUndefined()
  const rows = await payments.byTransaction(1, '0xf1')
  expect(rows.map(({ id, payer, scope }) => [id, payer, scope])).toEqual([
    ['pay_3', '0xc', 'payer'],
    ['pay_4', '0xd', 'payer'],
  ])
}
