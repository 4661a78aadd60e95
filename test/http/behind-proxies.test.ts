import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Page } from 'playwright-core'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { payer, settlerEnv, startAnvil } from '../payments/support/anvil.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { freePort } from '../support/free-port.ts'
import { hasCaddy, hasNginx, type ProxyServer, startCaddySite, startNginxSite } from '../support/proxies.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { started } from '../support/started.ts'

const guide = readFileSync(join(import.meta.dir, '../../docs/proxies.md'), 'utf8')

/** The blocks of the guide in a language: the first is the whole of a proxy's settings, the second what a path changes. */
function blocks(language: string): readonly [string, string] {
  const [whole = '', path = ''] = [
    ...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')),
  ].map(([, text = '']) => text)
  return [whole, path]
}

type Way = 'without a path' | 'passes the path on' | 'removes the path'
const [caddyWhole, caddyPath] = blocks('caddyfile')
const [nginxWhole, nginxPath] = blocks('nginx')

/** The guide's lines for Caddy, with the ports of the test. */
function caddySite(way: Way, port: number): string {
  const [, proxy = ''] = /^.*? \{\n(.*)\n\}\n$/s.exec(caddyWhole) ?? []
  const inside = {
    'without a path': proxy,
    'passes the path on': caddyPath,
    'removes the path': `redir /mint /mint/\nhandle_path /mint/* {\n${proxy}\n}`,
  }
  return `http://localhost:${port} {\n${inside[way]}\n}`
}

/** The guide's lines for nginx, without TLS. A path behind the port is what makes it remove that of the location. */
function nginxSite(way: Way, port: number): string {
  const site = (way === 'passes the path on' ? nginxPath : nginxWhole)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/server_name .*;/, 'server_name localhost;')
    .replaceAll(/^\s*ssl_.*\n/gm, '')
  return way === 'removes the path'
    ? site.replace('location / {\n', 'location /mint/ {\n').replace('127.0.0.1:3000;', '127.0.0.1:3000/;')
    : site
}

let browser: Browser
const chain = started(startAnvil)
beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})

/** A server with the proxy before it. */
async function startBoth(proxyName: string, way: Way) {
  const port = await freePort()
  const url = `http://localhost:${port}${way === 'without a path' ? '' : '/mint'}`
  const server = await startServer({
    env: {
      ...walletEnv(chain.url),
      ...settlerEnv,
      BASE_URL: url,
      TRUSTED_PROXIES: '127.0.0.1/32',
      ADMIN_PASSWORD: operatorPassword,
    },
  })
  const site = (proxyName === 'Caddy' ? caddySite : nginxSite)(way, port).replaceAll(
    '127.0.0.1:3000',
    `127.0.0.1:${server.port}`,
  )
  const proxy = await (proxyName === 'Caddy' ? startCaddySite(port, site) : startNginxSite(port, () => site))
  return { url, port, server, proxy }
}

const ways = ['without a path', 'passes the path on', 'removes the path'] as const
const proxies = [...(hasCaddy ? ['Caddy'] : []), ...(hasNginx ? ['nginx'] : [])]
const pairs = proxies.flatMap((name) => ways.map((way) => [name, way] as const))

describe.each(pairs)('behind %s, which %s', (name, way) => {
  let url: string
  let port: number
  let server: TestServer
  let proxy: ProxyServer
  beforeAll(async () => {
    ;({ url, port, server, proxy } = await startBoth(name, way))
  })
  afterAll(async () => {
    await proxy?.close()
    await server?.stop()
  })

  test('pages, pictures and documents are answered, and name that URL', async () => {
    expect((await fetch(`${url}/docs`)).status).toBe(200)
    const home = await fetch(url)
    expect([home.status, home.url]).toEqual([200, `${url}/`])
    expect((await (await fetch(`${url}/openapi.json`)).json()).servers).toEqual([{ url }])
    expect((await fetch(`${url}/badge/shadcn%2Fui-1.0-blue?demo=1`)).status).toBe(200)
    const { status, headers } = await fetch(`${url}/docs/`, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([308, new URL(`${url}/docs`).pathname])
    if (way === 'removes the path') return
    const found = await (await fetch(`http://localhost:${port}/.well-known/x402`)).json()
    expect(JSON.stringify(found)).toContain(`"${url}/api/og"`)
  })

  // nginx that removes a path resolves targets by itself before it looks for their location.
  test.skipIf(name === 'nginx' && way === 'removes the path')(
    'no target but its own leads to the operator’s area',
    async () => {
      const start = new URL(url).pathname.replace(/\/$/, '')
      for (const target of ['/x\\..\\admin', '/x/..%2fadmin', '/%2e/admin/login', '/x/%2e%2e/admin']) {
        const { status } = await rawHttp(port, rawGet(start + target, `localhost:${port}`))
        expect([target, status]).toEqual([target, 400])
      }
    },
  )

  test('a key and a payment buy cards', async () => {
    const { id, secret } = await (await fetch(`${url}/api/key`)).json()
    const pair = { key: id, secret }
    expect((await fetch(await signUrl(`${url}/api/og?title=Signed`, pair))).status).toBe(200)
    expect((await fetch(await embedUrl(`${url}/api/og.png`, { title: 'Embedded' }, pair))).status).toBe(200)
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
    const paid = await wrapFetchWithPayment(
      fetch,
      client,
    )(`${url}/api/og?title=${encodeURIComponent(`${name} ${way}`)}`)
    expect(paid.status).toBe(200)
    expect(decodePaymentResponseHeader(paid.headers.get('payment-response') ?? '').success).toBe(true)
  })

  test.skipIf(!hasBrowser)('an operator logs in, makes a key and a brand, and a visitor plays', async () => {
    const { page, complaints, close } = await openPage(browser)
    const strays: string[] = []
    page.on('response', (response) => {
      const isBelow = response.url().startsWith(`${url}/`) || /^(?:data|blob):/.test(response.url())
      if (!isBelow || response.status() >= 400) strays.push(`${response.status()} ${response.url()}`)
    })
    await enter(page, { url })
    await makeKey(page)
    await makeBrand(page, url)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(`${url}/admin/login`)
    await play(page, url)
    expect([strays, complaints]).toEqual([[], []])
    await close()
  })
})

async function makeKey(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Keys' }).first().click()
  await page.getByRole('link', { name: 'New key' }).first().click()
  await page.getByLabel('Name').fill('docs.harbour.dev')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.waitForURL(/\/admin\/keys\/mk_/)
  expect(await page.locator('#secret-value').textContent()).toMatch(/^[0-9a-f]{64}$/)
}

async function makeBrand(page: Page, url: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Brands' }).click()
  await page.getByRole('link', { name: 'New brand' }).first().click()
  const before = await page.locator('#preview img').first().getAttribute('src')
  await page.getByLabel('Name', { exact: true }).fill('Harbour')
  await page.getByLabel('Theme', { exact: true }).selectOption('poster')
  await page.waitForFunction(
    (source) => document.querySelector('#preview img')?.getAttribute('src') !== source,
    before,
  )
  await page.getByRole('button', { name: 'Create brand' }).click()
  await page.waitForURL(`${url}/admin/brands/harbour`)
  expect(await page.locator('#use-revision').textContent()).toStartWith(`${url}/api/og?brand=harbour@1`)
}

/** Types into the playground, and searches the documentation. */
async function play(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/`)
  await page.getByLabel('Title', { exact: false }).first().fill('Typed below a path')
  await page.waitForURL(/title=Typed/)
  expect(page.url()).toStartWith(`${url}/?`)
  expect(
    await page
      .locator('.canvas img')
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(1200)
  await page.goto(`${url}/docs/guides`)
  await page.locator('[data-search]').fill('nginx')
  await page.locator('.found a').first().click()
  await page.waitForURL(/\/docs\/proxies/)
}
