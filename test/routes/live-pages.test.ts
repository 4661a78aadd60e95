import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type HttpCase, testTable } from '../support/http-table.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { runtimes } from '../support/test-size.ts'
import { startDnsServer } from '../web/support/dns-server.ts'
import { startRawServer } from '../web/support/raw-server.ts'
import cases from './live-pages.json' with { type: 'json' }

const tlsFolder = new URL('../fixtures/web/tls/', import.meta.url)
function pem(name: string) {
  return readFileSync(new URL(name, tlsFolder), 'utf8')
}

const page = `<!doctype html><html lang="en"><title>Hello</title><meta name="description" content="A page.">
<meta property="og:image" content="/i.png"><meta name="author" content="Ann Lee">`

/** A site of many habits, by path. */
const answers: Readonly<Record<string, string>> = {
  '/': `200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
  '/gone': '410 Gone\r\nContent-Length: 0\r\n\r\n',
  '/moved': '301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n',
  '/inside': '302 Found\r\nLocation: http://10.0.0.1:8080/\r\nContent-Length: 0\r\n\r\n',
  '/file': '302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n',
  '/picture.png': '200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\nPNG!',
}

for (const runtime of runtimes) {
  describe(`live pages on ${runtime}`, () => {
    const paths: string[] = []
    /** Cases are written before the ports are known. */
    const ports = { site: '443' }

    const site = started(() =>
      startRawServer(
        (socket, request) => {
          const path = request.split(' ')[1] ?? ''
          paths.push(path)
          socket.end(`HTTP/1.1 ${answers[path] ?? '404 Not Found\r\nContent-Length: 0\r\n\r\n'}`)
        },
        { key: pem('site.key'), cert: pem('site.pem') },
      ),
    )
    const dns = started(() =>
      startDnsServer((name) => {
        if (name === 'private.example.com') return ['10.1.2.3']
        return name.endsWith('.example.com') ? ['127.0.0.1'] : []
      }),
    )
    const server = started(() =>
      startServer({
        runtime,
        env: {
          FETCH_ALLOW_CIDRS: '127.0.0.0/8',
          FETCH_ALLOW_PORTS: `${site.port},80,443,8080`,
          FETCH_DNS: dns.address,
          FETCH_CA_FILE: fileURLToPath(new URL('ca.pem', tlsFolder)),
          FETCH_DENY_DOMAINS: 'denied.example.com',
          DEMO_DAILY_QUOTA: '1000',
        },
      }),
    )
    beforeAll(() => {
      ports.site = String(site.port)
    })

    function pageUrl(path: string, host = 'site.example.com') {
      return `https://${host}:${ports.site}${path}`
    }
    function preview(url: string, rest = '&demo=1') {
      return `/api/transform?kind=preview&url=${encodeURIComponent(url)}${rest}`
    }
    async function ask(path: string, headers: Record<string, string> = {}) {
      const response = await fetch(server.url + path, { headers })
      const text = await response.text()
      return { response, text, json: () => JSON.parse(text) }
    }

    test('a preview tells what the page says, and costs one call', async () => {
      // A language that no other test asks for.
      const url = preview(pageUrl('/'), '&lang=gsw&demo=1')
      const { response, json } = await ask(url)
      expect(response.status).toBe(200)
      expect(json()).toMatchObject({
        kind: 'preview',
        version: 1,
        url: pageUrl('/'),
        final_url: pageUrl('/'),
        title: 'Hello',
        description: 'A page.',
        author: 'Ann Lee',
        image: { url: pageUrl('/i.png'), source: 'og:image' },
        http_status: 200,
        cache: { state: 'miss', age: 0, ttl: 3600 },
      })
      expect(response.headers.get('cache-control')).toBe('private, max-age=300')
      expect([response.headers.get('x-auth-mode'), response.headers.has('etag')]).toEqual(['demo', false])
      const again = await ask(url)
      expect(again.json().cache.state).toBe('hit')
      const [first, second] = [response, again.response].map(({ headers }) =>
        Number(headers.get('x-quota-remaining')),
      )
      expect(second).toBe(Number(first) - 1)
    })

    test('a preview carries what every answer carries', async () => {
      const { headers } = (await ask(preview(pageUrl('/')))).response
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-/)
      expect(headers.get('server-timing')).toContain('auth;dur=')
      expect(headers.get('vary')).toContain('Accept-Encoding')
    })

    test('the other shapes are there', async () => {
      expect((await ask(preview(pageUrl('/'), '&format=oembed&demo=1'))).json()).toMatchObject({
        version: '1.0',
        title: 'Hello',
      })
      expect((await ask(preview(pageUrl('/'), '&format=microlink&demo=1'))).json()).toMatchObject({
        status: 'success',
      })
    })

    test('a redirect is followed and told', async () => {
      expect((await ask(preview(pageUrl('/moved')))).json()).toMatchObject({
        final_url: pageUrl('/'),
        redirects: [{ status: 301, url: pageUrl('/moved') }],
      })
    })

    test('a picture is its own preview', async () => {
      expect((await ask(preview(pageUrl('/picture.png')))).json()).toMatchObject({
        type: 'image',
        title: 'picture.png',
      })
    })

    test('failures cost nothing and say why', async () => {
      const before = Number((await ask(preview(pageUrl('/')))).response.headers.get('x-quota-remaining'))
      const failed = 'upstream_failed'
      const failures: readonly (readonly [string, number, object])[] = [
        [pageUrl('/gone'), 502, { code: failed, reason: 'target_http_status', target_status: 410 }],
        [pageUrl('/inside'), 403, { code: 'blocked_address', reason: 'blocked_address' }],
        [pageUrl('/file'), 502, { code: 'upstream_failed', reason: 'unsupported_scheme' }],
        [pageUrl('/', 'private.example.com'), 403, { code: 'blocked_address' }],
        [pageUrl('/', 'denied.example.com'), 403, { code: 'blocked_host', reason: 'denied_domain' }],
        [pageUrl('/', 'nobody.example.net'), 502, { code: 'upstream_failed', reason: 'dns_not_found' }],
        [pageUrl('/', 'wrong.deep.example.com'), 502, { code: 'upstream_failed', reason: 'tls_error' }],
        ['http://127.0.0.1:6379/', 403, { code: 'blocked_port' }],
        ['http://printer.onion/', 403, { code: 'blocked_host' }],
        ['http://169.254.169.254/', 403, { code: 'blocked_address' }],
      ]
      for (const [url, status, members] of failures) {
        const { response, text, json } = await ask(preview(url))
        expect([url, response.status]).toEqual([url, status])
        expect(json()).toMatchObject(members)
        expect(response.headers.get('cache-control')).toBe('no-store')
        expect(text.replaceAll(server.url, '')).not.toMatch(/10\.\d+\.\d+\.\d+|127\.0\.0\.1/)
      }
      const after = Number((await ask(preview(pageUrl('/')))).response.headers.get('x-quota-remaining'))
      expect(after).toBe(before - 1)
    })

    test('fresh is not for demo callers', async () => {
      const { response, json } = await ask(preview(pageUrl('/'), '&fresh=1&demo=1'))
      expect([response.status, json().errors[0].parameter]).toEqual([400, 'fresh'])
    })

    test('HEAD and refused calls ask no site', async () => {
      const asked = paths.length
      const head = await fetch(server.url + preview(pageUrl('/?head')), { method: 'HEAD' })
      expect(head.status).toBe(200)
      // Only the page knows how long the answer would be.
      expect(head.headers.get('content-length')).toBeNull()
      const unpaid = await ask(preview(pageUrl('/?unpaid'), ''))
      expect(unpaid.response.status).toBe(402)
      expect(paths.length).toBe(asked)
    })

    test('a bundle of a site that is away is a template', async () => {
      const { response, json } = await ask('/api/sitemap?domain=Nobody.Example.NET.&demo=1')
      expect(response.status).toBe(200)
      expect(json()).toMatchObject({
        domain: 'nobody.example.net',
        mode: 'template',
        ttl: 600,
        counts: { urls: 1 },
      })
      const expected = ['robots.txt', 'sitemap.xml', 'llms.txt']
      expect(json().files.map(({ name }: { name: string }) => name)).toEqual(expected)
    })

    test('HEAD tells the type and name of each form of a bundle, as GET does', async () => {
      for (const form of ['', '&format=zip', '&file=robots.txt', '&file=sitemap.xml', '&file=llms.txt']) {
        const url = `${server.url}/api/sitemap?domain=HEAD.example.net&crawl=0&demo=1${form}`
        const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
        for (const name of ['content-type', 'content-disposition', 'cache-control'])
          expect([form, name, head.headers.get(name)]).toEqual([form, name, get.headers.get(name)])
        expect(head.headers.get('content-length')).toBeNull()
      }
    })

    test('HEAD tells of a stream of events when it is asked for one, as GET does', async () => {
      const url = `${server.url}/api/sitemap?domain=HEAD.example.net&crawl=0&demo=1`
      const headers = { accept: 'text/event-stream' }
      const [head, get] = [await fetch(url, { method: 'HEAD', headers }), await fetch(url, { headers })]
      expect(await get.text()).toStartWith('event: ')
      expect(await head.text()).toBe('')
      for (const name of ['content-type', 'content-disposition', 'cache-control', 'x-accel-buffering'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
      expect(head.headers.get('content-length')).toBeNull()
    })

    test('one file or a zip come as they are', async () => {
      const robots = await ask(
        '/api/sitemap?domain=nobody.example.net&crawl=0&file=robots.txt&ai=deny&demo=1',
      )
      expect(robots.response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(robots.text).toContain('User-agent: GPTBot\n')
      const zip = await fetch(`${server.url}/api/sitemap?domain=nobody.example.net&crawl=0&format=zip&demo=1`)
      expect(zip.headers.get('content-type')).toBe('application/zip')
      expect(new Uint8Array(await zip.arrayBuffer()).slice(0, 4)).toEqual(new Uint8Array([0x50, 0x4b, 3, 4]))
    })

    test('progress is told as events', async () => {
      const { response, text } = await ask('/api/sitemap?domain=progress.example.net&demo=1', {
        accept: 'text/event-stream',
      })
      expect(response.headers.get('content-type')).toStartWith('text/event-stream')
      expect(text).toStartWith('event: progress\ndata: {"stage":"robots"')
      expect(text).toContain('event: done\ndata: {"domain":"progress.example.net"')
    })

    test('an error in the middle of events is an event, and costs nothing', async () => {
      const { text } = await ask('/api/sitemap?domain=denied.example.com&demo=1', {
        accept: 'text/event-stream',
      })
      for (const part of ['event: error\ndata: ', '"code":"blocked_host"']) expect(text).toContain(part)
    })

    const wrong: readonly (readonly [name: string, query: string])[] = [
      ...(cases.wrong as [name: string, query: string][]),
      [
        'a URL that is too long',
        `/api/transform?kind=preview&url=http://site.example.com/${'a'.repeat(2048)}&demo=1`,
      ],
    ]
    testTable(
      () => server,
      [
        ...wrong.map(
          ([name, url]): HttpCase => ({
            name: `${name} is a 400 that nobody pays for`,
            url,
            expectedStatus: 400,
            expectedContent: ['"code":"invalid_query"'],
          }),
        ),
        {
          name: 'the fetcher explains itself',
          url: '/bot',
          expectedStatus: 200,
          expectedContent: ['User-agent: MintmarkBot\nDisallow: /</pre>'],
          expectedHeaders: { 'content-type': '^text/html' },
        },
      ],
    )
  })
}

test('the workers of a server divide what an address may have fetched without paying', async () => {
  const env = { FETCH_UNPAID_PER_MINUTE: '4', FETCH_DNS: '127.0.0.1:9' }
  const worker = await startService({ env, processes: 2 })
  const statuses: number[] = []
  for (const name of ['a', 'b', 'c'])
    statuses.push((await fetch(`${worker.url}/api/sitemap?domain=${name}.example.com&demo=1`)).status)
  expect(statuses).toEqual([200, 200, 429])
  await worker.stop()
})

test('an address that asks too much without paying has to wait', async () => {
  const server = await startServer({ env: { FETCH_UNPAID_PER_MINUTE: '2', FETCH_DNS: '127.0.0.1:9' } })
  function ask(domain: string) {
    return fetch(`${server.url}/api/sitemap?domain=${domain}&demo=1`)
  }
  const answers = await Promise.all(['a.example.com', 'b.example.com', 'c.example.com'].map(ask))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
  expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0)
  await server.stop()
})
