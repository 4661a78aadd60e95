import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { addressText, payloadOf } from '../../src/lib/query-pairs.ts'
import { payer, settlerEnv, startAnvil } from '../payments/support/anvil.ts'
import { fromBase64, signAuthorization, v1Header } from '../payments/support/sign.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { eventually } from '../support/eventually.ts'
import { started } from '../support/started.ts'
import { openAdminServer, operatorPassword } from './support/admin-server.ts'
import { sendBrand } from './support/brand-forms.ts'
import { loggedIn, logIn } from './support/operator.ts'

const server = started(openAdminServer)
const operator = loggedIn(server)

interface Pair {
  readonly id: string
  readonly secret: string
}

function addressOf({ id, secret }: Pair, parameters: Readonly<Record<string, string>>): string {
  const payload = payloadOf(Object.entries(parameters))
  const text = addressText({ asset: 'og', key: id, payload, extension: 'png' })
  const sig = createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
  return `${server.url}/i/og/${id}/${payload}/${sig}.png`
}

async function sharedKey(title: string, more: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const pair = (await (await fetch(`${server.url}/api/key`)).json()) as Pair
  for (const userAgent of ['Twitterbot/1.0', 'Discordbot/2.0', 'Twitterbot/1.0'])
    await fetch(addressOf(pair, { title, url: 'example.com', ...more }), {
      headers: { 'user-agent': userAgent },
    })
  return pair
}

function pageOnce(path: string, text: string): Promise<string> {
  return eventually(async () => {
    const page = await (await operator.get(path)).text()
    return page.includes(text) ? page : ''
  })
}

test('the operator sees who fetched which card of a key, and the card itself', async () => {
  const pair = await sharedKey('Hello & <b>goodbye</b>')
  const page = await pageOnce(`/admin/shares?key=${pair.id}`, '3 previews')
  expect(page).toContain('Hello &amp; &lt;b&gt;goodbye&lt;/b&gt;')
  expect(page).toContain('Discord')
  const [, source = ''] = /src="(\/admin\/keys\/[^"]*\/picture)"/.exec(page) ?? []
  const picture = await operator.get(source)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(picture.headers.get('cache-control')).toStartWith('private')
  const served = await fetch(addressOf(pair, { title: 'Hello & <b>goodbye</b>', url: 'example.com' }))
  expect(await picture.bytes()).toEqual(await served.bytes())
  expect(await (await operator.get(`/admin/keys/${pair.id}`)).text()).toContain('Shares by network')
  expect(await (await operator.get('/admin/shares')).text()).toContain(`/admin/shares?key=${pair.id}`)
})

test('a picture is only shown to the operator, and only of cards that were fetched', async () => {
  const pair = await sharedKey('Quiet')
  const page = await pageOnce(`/admin/shares?key=${pair.id}`, 'Quiet')
  const [, source = ''] = /src="(\/admin\/keys\/[^"]*\/picture)"/.exec(page) ?? []
  expect((await fetch(server.url + source, { redirect: 'manual' })).status).toBe(303)
  const other = await sharedKey('Another')
  for (const wrong of [source.replace(pair.id, other.id), source.replace(/[0-9a-f]{32}/, '0'.repeat(32))])
    expect((await operator.get(wrong)).status).toBe(404)
})

test('a card that cannot be drawn again is a grey box that says so by its status', async () => {
  await sendBrand(server, operator, { name: 'Tides', slug: 'tides' })
  const pair = await sharedKey('Before', { brand: 'tides' })
  const page = await pageOnce(`/admin/shares?key=${pair.id}`, 'Before')
  const [, source = ''] = /src="(\/admin\/keys\/[^"]*\/picture)"/.exec(page) ?? []
  expect((await operator.get(source)).status).toBe(200)
  await operator.post('/admin/brands/tides/archive')
  const box = await operator.get(source)
  expect([box.status, box.headers.get('content-type')]).toEqual([404, 'image/svg+xml'])
  expect(box.headers.get('cache-control')).toBe('no-store')
})

test('cards of a key, and sums of all keys, leave as CSV', async () => {
  const pair = await sharedKey('=cmd')
  await pageOnce(`/admin/shares?key=${pair.id}`, '3 previews')
  const day = new Date().toISOString().slice(0, 10)
  async function csv(query: string) {
    const answer = await operator.post(`/admin/shares.csv${query}`, { password: operatorPassword })
    return (await answer.text()).split('\r\n')
  }
  expect(await csv(`?key=${pair.id}`)).toEqual([
    'day,network,title,url,count',
    `${day},x,'=cmd,example.com,2`,
    `${day},discord,'=cmd,example.com,1`,
    '',
  ])
  const [head, ...rows] = await csv('')
  expect(head).toBe('day,network,count')
  expect(rows.some((row) => row.startsWith(`${day},discord,`))).toBe(true)
})

test('a key that does not exist has no page of shares', async () => {
  expect((await operator.get('/admin/shares?key=mk_2222222222222222')).status).toBe(404)
})

const chain = started(startAnvil)
const settlementCostsServer = started(() =>
  openAdminServer({ env: { ...walletEnv(chain.url), ...settlerEnv, X402_POLL_MS: '50' } }),
)

function visible(html: string) {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('the operator sees what settlements cost, by day, in all and for each payment', async () => {
  const operator = await logIn(settlementCostsServer)
  expect(await operator.page('/admin/payments')).not.toContain('What settlements cost')
  const burner = await chain.deploy('GasBurner', [0n])
  await chain.token('mint', [burner, 100_000n], payer)
  async function buy(title: string, from: `0x${string}` | undefined) {
    return fetch(`${settlementCostsServer.url}/api/og?title=${title}`, {
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
