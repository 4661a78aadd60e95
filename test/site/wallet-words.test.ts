import { expect, test } from 'bun:test'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { startService, type TestService } from '../support/service.ts'
import { started } from '../support/started.ts'

const without = started(startService)
const withWallet = started(() => startService({ env: walletEnv('http://127.0.0.1:9') }))

const pages = ['/', '/?kind=badge', '/?kind=preview', '/?kind=stats', '/docs', '/status', '/bot', '/llms.txt']

/** Words about paying. Codes, members and schemas that the contract fixes have an underscore or a capital letter. */
const ofPaying =
  /\b(pay|pays|paid|paying|payments?|prices?|priced|costs?|money|wallet|usdc|x402|mpp|buys?|sale)\b/gi

/** Text that the contract prescribes even without a wallet. */
const allowed =
  /There is nothing to pay here\.|\/api\/payment-required|#payments|["]payments["]|Paths: payments/g

async function wordsOf(server: TestService, path: string, accept = '*/*'): Promise<string> {
  const text = await (await fetch(server.url + path, { headers: { accept } })).text()
  return text.replace(/ class="[^"]*"/g, '')
}

function offersIn(text: string): readonly string[] {
  return text.replace(allowed, '').match(ofPaying) ?? []
}

test.each(pages)('without a wallet %s does not speak of paying', async (path) => {
  expect(offersIn(await wordsOf(without, path))).toEqual([])
})

test.each(['/', '/docs', '/docs/errors', '/llms.txt', '/openapi.json'])(
  'with a wallet %s tells how to pay',
  async (path) => {
    expect((await wordsOf(withWallet, path)).match(ofPaying)?.length).toBeGreaterThan(0)
  },
)

test('without a wallet the errors are those that can happen, and none asks for money', async () => {
  const html = await wordsOf(without, '/docs/errors')
  expect(html).toContain('id="payment_required"')
  const told = html.replaceAll('This server takes no payments.', '')
  expect(told.match(ofPaying)).toBeNull()
  expect(html).not.toContain('insufficient_funds')
})

test('without a wallet OpenAPI has no parameter, header, scheme or sentence about paying', async () => {
  const { paths, components, tags } = await (await fetch(`${without.url}/openapi.json`)).json()
  const { schemas, ...rest } = components
  expect(Object.keys(schemas)).toContain('PaymentRequired')
  expect(offersIn(JSON.stringify([paths, rest, tags]))).toEqual([])
  expect(Object.keys(rest.securitySchemes)).toEqual(['demo', 'key', 't', 'exp', 'sig'])
  const paid = await (await fetch(`${withWallet.url}/openapi.json`)).json()
  expect(paid.components.securitySchemes).toMatchObject({ payment: { name: 'X-PAYMENT' } })
  expect(paid.paths['/api/badge'].get.responses['402'].headers).toHaveProperty('PAYMENT-REQUIRED')
})

const nothingToPay = 'There is nothing to pay here. The operator lifts the quota of a key.'

test.each(['/docs', '/openapi.json'])(
  'without a wallet %s says where there is nothing to pay, and what there is instead',
  async (path) => {
    const text = await wordsOf(without, path)
    for (const told of ['/api/upgrade', '/api/payment-required', nothingToPay]) expect(text).toContain(told)
    expect(text).not.toContain('/.well-known/x402')
  },
)

test('llms.txt names keys, and what there is to pay only where there is something', async () => {
  const [free, paid] = await Promise.all(
    [without, withWallet].map(async ({ url }) => (await fetch(`${url}/llms.txt`)).text()),
  )
  const paths = ['/api/upgrade', '/api/payment-required', '/.well-known/x402']
  for (const path of ['/api/key', '/api/usage']) {
    expect(free).toContain(path)
    expect(paid).toContain(path)
  }
  expect(paths.filter((path) => free?.includes(path))).toEqual([])
  expect(paths.filter((path) => paid?.includes(path))).toEqual(paths)
})

test('llms-full.txt and the guides offer nothing to pay without a wallet', async () => {
  const words = /\b(pay|pays|paid|paying|payments?|prices?|priced|money|wallet|usdc|x402|mpp|buys?|sale)\b/gi
  const [free, paid] = await Promise.all(
    [without, withWallet].map(async ({ url }) => (await fetch(`${url}/llms-full.txt`)).text()),
  )
  expect(free?.match(words)).toBeNull()
  expect(paid?.match(words)?.length).toBeGreaterThan(10)
})

test('with a wallet x402 is the first way to lift a quota', async () => {
  const ways = await (await fetch(`${withWallet.url}/api/upgrade`)).json()
  expect(ways).toMatchObject({ default: 'x402', paths: [{ type: 'x402', price: '10.00' }] })
  expect(ways).not.toHaveProperty('detail')
})

test('what is listed for sale is what a GET without a payment is asked to pay for', async () => {
  const { resources, items, accepts } = await (await fetch(`${withWallet.url}/.well-known/x402`)).json()
  expect(resources.length).toBeGreaterThan(3)
  for (const { method, resource } of items) {
    expect(method).toBe('GET')
    expect(resources).toContain(resource)
    expect(resource).not.toContain('/api/upgrade')
  }
  expect(JSON.stringify(accepts)).not.toContain('/api/upgrade')
})

test('without a wallet nothing is listed for sale', async () => {
  const { resources, items } = await (await fetch(`${without.url}/.well-known/x402`)).json()
  expect([resources, items]).toEqual([[], []])
  const { accepts, detail } = await (await fetch(`${without.url}/api/payment-required`)).json()
  expect([accepts, detail]).toEqual([[], nothingToPay])
  const ways = await (await fetch(`${without.url}/api/upgrade`)).json()
  expect(ways).toEqual({ default: null, paths: [], detail: nothingToPay })
  const sold = await (await fetch(`${withWallet.url}/.well-known/x402`)).json()
  expect(sold.resources).toContain(`${withWallet.url}/api/badge`)
})

test('without a wallet no 402, key or picture asks for money', async () => {
  for (const path of ['/api/og?title=a', '/api/badge?value=a', '/api/badge?value=a&key=mk_a&t=1&sig=0']) {
    const { detail = '', accepts = [] } = await (await fetch(without.url + path)).json()
    expect([accepts, detail.match(ofPaying)]).toEqual([[], null])
    const picture = await wordsOf(without, path, 'image/*')
    expect(picture.match(ofPaying)).toBeNull()
  }
  const { note } = await (await fetch(`${without.url}/api/key`)).json()
  expect(note.match(ofPaying)).toBeNull()
  expect((await (await fetch(`${withWallet.url}/api/og?title=a`)).json()).detail).toContain('or a payment')
})
