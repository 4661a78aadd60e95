import { expect, test } from 'bun:test'
import { keyOf, payer, settler, startAnvil } from '../payments/support/anvil.ts'
import { fromBase64, signAuthorization, v1Header } from '../payments/support/authorize.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { started } from '../support/started.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn } from './support/operator.ts'

const chain = started(startAnvil)
const server = started(() =>
  openAdminServer({
    env: { ...walletEnv(chain.url), X402_SETTLER_KEY: keyOf(settler), X402_POLL_MS: '50' },
  }),
)

function visible(html: string) {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('the operator sees what settlements cost, by day, in all and for each payment', async () => {
  const operator = await logIn(server)
  expect(await operator.page('/admin/payments')).not.toContain('What settlements cost')
  const burner = await chain.deploy('GasBurner', [0n])
  await chain.token('mint', [burner, 100_000n], payer)
  async function buy(title: string, from: `0x${string}` | undefined) {
    return fetch(`${server.url}/api/og?title=${title}`, {
      headers: v1Header(await signAuthorization(from ? { from } : {})),
    })
  }
  const paid = await buy('Good', undefined)
  expect([paid.status, (await buy('Bad', burner)).status]).toEqual([200, 402])
  const hash = String(fromBase64(paid.headers.get('x-payment-response'))['transaction']) as `0x${string}`
  const { gasUsed } = await chain.client.getTransactionReceipt({ hash })
  const words = `${new Intl.NumberFormat('en').format(gasUsed)} gas, 0.`
  const list = visible(await operator.page('/admin/payments'))
  expect(list).toMatch(/What settlements cost .* Total 2 1 [\d,]+ 0\.\d+ ETH/)
  expect(visible(await operator.page(`/admin/payments/${hash}`))).toContain(words)
  expect(await operator.page('/admin/payments.csv')).toContain('settlement_gas,settlement_fee_gwei')
})
