import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startPageSite } from '../routes/support/page-site.ts'
import { startService, type TestService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { shopkeeper, startAnvil } from './support/anvil.ts'
import { payWith } from './support/pay.ts'
import { patientEnv, walletEnv } from './support/wallet-env.ts'

let server: TestService
const chain = started(startAnvil)
const site = started(startPageSite)
beforeAll(async () => {
  server = await startService({ env: { ...site.env, ...walletEnv(chain.url), ...patientEnv } })
})
afterAll(async () => {
  await server.stop()
})

test('a payment buys the card of a page, and no card in its place', async () => {
  const txHash = await chain.transfer(shopkeeper.address, 20_000n)
  const url = `${server.url}/api/card?${new URLSearchParams({ page: site.url('/') })}`
  for (let tries = 0; tries < 2; tries += 1) {
    const { status, headers } = await payWith(url, txHash)
    expect([status, headers.get('x-card-source')]).toEqual([200, 'fallback'])
    expect(headers.get('x-payment-response')).toBeNull()
  }
  expect((await payWith(`${url}&fallback=error`, txHash)).status).toBe(502)
  site.setPage('/', '<title>Tides of March</title>')
  server.clock.aheadMs += 61_000
  const paid = await payWith(url, txHash)
  expect([paid.status, paid.headers.get('x-card-source')]).toEqual([200, 'page'])
  expect(paid.headers.get('x-payment-response')).toBeTruthy()
  const other = `${server.url}/api/card?${new URLSearchParams({ page: site.url('/'), theme: 'paper' })}`
  expect((await payWith(other, txHash)).status).toBe(402)
})
