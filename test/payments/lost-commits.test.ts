import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { type CutMoment, startTcpProxy } from '../support/tcp-proxy.ts'
import { settlerEnv, shopkeeper, startAnvil } from './support/anvil.ts'
import { freshUrl, laterVerdictOf, payWith } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { signAuthorization, v1Header } from './support/sign.ts'

/** Payments of each kind. One takes a quarter of a second. */
const payments = 16
const moments: readonly CutMoment[] = ['before', 'after', 'underway']

describe.skipIf(!hasPostgres)('paid calls while connections end at commits', () => {
  const postgres = started(startPostgres)
  const chain = started(startAnvil)
  const proxy = started(() => startTcpProxy(postgres.port))
  const shop = started(() => {
    const path = postgres.makeDatabase('shop').replace(/:\d+\//, `:${proxy.port}/`)
    return openShop(chain.url, { path, env: settlerEnv })
  })

  test('are charged once, answered in the end, and never answered without a charge', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const isOver = Promise.withResolvers<void>()
    let isDone = false
    let cuts = 0
    async function cutAgainAndAgain(): Promise<void> {
      while (!isDone) {
        await Promise.race([proxy.cutAt('commit\0', moments[cuts % 3] ?? 'after'), isOver.promise])
        cuts += 1
        await sleep(cuts % 4 === 0 ? 400 : 30)
      }
    }
    const cutting = cutAgainAndAgain()
    const hashes: string[] = []
    for (let count = 0; count < payments; count += 1)
      hashes.push(await chain.transfer(shopkeeper.address, 10_000n))
    const calls = Array.from({ length: payments }, async (_, index) => {
      await sleep(index * 150)
      const url = freshUrl(shop)
      const headers = v1Header(await signAuthorization())
      const byHash = freshUrl(shop)
      return Promise.all([
        laterVerdictOf(() => fetch(url, { headers })),
        laterVerdictOf(() => payWith(byHash, hashes[index] ?? '')),
      ])
    })
    const verdicts = (await Promise.all(calls)).flat()
    isDone = true
    isOver.resolve()
    await cutting
    console.log(`${verdicts.length} payments over ${cuts} cut commits`)
    expect(verdicts).toEqual(verdicts.map(() => '200'))
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(BigInt(2 * payments) * 10_000n)
    await shop.store.deferred.flush()
    expect(
      postgres.run(
        `select count(*), count(distinct payment_id), sum(amount_micros) from charges where state = 'done'`,
        'shop',
      ),
    ).toBe(`${2 * payments}|${2 * payments}|${2 * payments * 10_000}`)
    expect(postgres.run(`select count(*) from payments where spent_micros <> amount_micros`, 'shop')).toBe(
      '0',
    )
    expect(postgres.run(`select count(*) from charges where state = 'reserved'`, 'shop')).toBe('0')
  })

  test.each(moments)(
    'and where the database stays away after a commit was cut %s it arrived',
    async (when) => {
      const txHash = await chain.transfer(shopkeeper.address, 10_000n)
      const url = freshUrl(shop)
      // Cuts the connection at the charge; the transaction before it recorded the transfer.
      const isRecorded = proxy.cutAt('insert into "charges"', 'before')
      const first = payWith(url, txHash)
      await isRecorded
      await proxy.cutAt('commit\0', when)
      proxy.freeze()
      expect((await first).status).toBe(503)
      proxy.thaw()
      expect(await laterVerdictOf(() => payWith(url, txHash))).toBe('200')
      const done = `select count(*) from charges join payments on payments.id = payment_id
      where charges.state = 'done' and tx_hash = '${txHash}'`
      expect(postgres.run(done, 'shop')).toBe('1')
    },
  )
})
