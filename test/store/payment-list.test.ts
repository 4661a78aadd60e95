import { beforeEach, describe, expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const dayMs = 86_400_000
const directory = temporaryDirectory()
let store: ReturnType<typeof openStore>
let stores = 0
beforeEach(() => {
  stores += 1
  store = openStore({ path: `${directory}/${stores}.sqlite` })
})

function common(id: string, createdAtMs: number) {
  return {
    id,
    via: 'transfer',
    chainId: 84532,
    asset: '0xa',
    payTo: '0xb',
    payer: '0xc',
    txHash: `0x${id}`,
    amountMicros: 10_000,
    createdAtMs,
    updatedAtMs: createdAtMs,
  }
}

async function addTransfer(id: string, createdAtMs = 5 * dayMs): Promise<void> {
  const transfer = { ...common(id, createdAtMs), method: 'transfer', state: 'settled' } as const
  await store.transaction(() => store.payments.insertTransfer(transfer, []))
}

async function addPromise(id: string, createdAtMs = 5 * dayMs): Promise<void> {
  const promise = { method: 'authorization', nonce: `0x${id}`, state: 'reserved' } as const
  await store.transaction(() =>
    store.payments.insertAuthorization({ ...common(id, createdAtMs), ...promise }),
  )
}

describe('the sums of a day', () => {
  test('follow every payment that settles, and every one that turns out not to have', async () => {
    await addTransfer('1')
    await addPromise('2')
    expect(await store.paymentList.days(0, 9)).toEqual([{ day: 5, count: 1, amountMicros: 10_000 }])
    await store.payments.transition('2', { from: ['reserved'], to: 'submitted', nowMs: 1 })
    const money = { txHash: '0x2', blockNumber: 1, blockHash: '0x3', logIndexes: [0], nowMs: 2 }
    expect(await store.transaction(() => store.payments.settle('2', money))).toBe(true)
    expect(await store.paymentList.days(0, 9)).toEqual([{ day: 5, count: 2, amountMicros: 20_000 }])
    await store.payments.transition('1', { from: ['settled'], to: 'reorged', nowMs: 3 })
    expect(await store.paymentList.days(0, 9)).toEqual([{ day: 5, count: 1, amountMicros: 10_000 }])
  })
})

describe('lists of payments', () => {
  /** Twenty payments of one wallet, ten of which have failed. */
  async function addMany(): Promise<void> {
    for (let index = 10; index < 30; index++) {
      const createdAtMs = 6 * dayMs + Math.floor(index / 4)
      if (index % 2) await addTransfer(String(index), createdAtMs)
      else await addPromise(String(index), createdAtMs)
      await store.payments.transition(String(index), { from: ['reserved'], to: 'failed', nowMs: createdAtMs })
    }
  }

  test('pages follow one another, all or of one state', async () => {
    await addMany()
    for (const state of ['any', 'failed'] as const) {
      const listed: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await store.paymentList.newest(state, 3, after)
        if (page.length === 0) break
        listed.push(...page.map(({ id }) => id))
        after = page.at(-1)?.id
      }
      expect(new Set(listed).size).toBe(listed.length)
      expect(listed).toHaveLength(state === 'any' ? 20 : 10)
    }
  })

  test('a hash finds its payments, a wallet its own, page by page', async () => {
    await addMany()
    expect((await store.paymentList.byHash('0x11', 5)).map(({ id }) => id)).toEqual(['11'])
    const first = await store.paymentList.ofPayer('0xc', 15)
    const second = await store.paymentList.ofPayer('0xc', 15, first.at(-1)?.id)
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(20)
    expect(await store.paymentList.ofPayer('nobody', 5)).toEqual([])
  })

  test('money that bought nothing is unclaimed until it does', async () => {
    await addTransfer('unclaimed', 8 * dayMs)
    async function newest() {
      return (await store.paymentList.newest('unclaimed', 1))[0]?.id
    }
    expect(await newest()).toBe('unclaimed')
    await store.payments.spend('unclaimed', 10_000)
    expect(await newest()).not.toBe('unclaimed')
  })

  test('what a payment bought is listed without the answers', async () => {
    await addTransfer('unclaimed', 8 * dayMs)
    await store.charges.insert({
      id: 'charge',
      paymentId: 'unclaimed',
      slot: 'slot',
      request: 'request',
      endpoint: 'og',
      amountMicros: 10_000,
      state: 'reserved',
      leaseOwner: '',
      leaseUntilMs: 9,
      createdAtMs: 8 * dayMs,
    })
    expect(await store.paymentList.purchases('unclaimed', 5)).toEqual([
      { id: 'charge', endpoint: 'og', amountMicros: 10_000, state: 'reserved', createdAtMs: 8 * dayMs },
    ])
    expect((await store.paymentList.byHash('0xunclaimed', 1))[0]?.endpoint).toBe('og')
  })
})
