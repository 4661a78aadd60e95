import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { runtimes } from '../support/test-size.ts'
import cases from './live-badges.json' with { type: 'json' }

/** A site of documents, by path. */
const documents: Readonly<Record<string, unknown>> = cases.documents

const texts: Readonly<Record<string, string>> = {
  '/yaml': 'name: app\nversion: &v "2.0"\nother: *v\nreleased: 2024-05-01\n',
  '/toml': '[package]\nversion = "3.1.4"\nreleased = 1979-05-27\nat = 1979-05-27T07:32:00Z\n',
  '/laughs': `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(20).fill(`*${'abcdefg'[at]}`).join(',')}]`).join('\n')}\n`,
  '/tagged': 'a: !!js/function "function () {}"\n',
  '/broken': '{"a": ',
  '/broken.yaml': 'a: [1\nb: 2',
  '/many.yaml': Array.from({ length: 3_000 }, (_, index) => `k${index}: v`).join('\n'),
  '/many.toml': `a = [${'1,'.repeat(5_000)}1]`,
  '/long': JSON.stringify({ version: 'x'.repeat(2 ** 20) }),
  '/longest': JSON.stringify({ version: 'x'.repeat(2 ** 20 - '{"version":""}'.length) }),
  '/deep': '['.repeat(30_000) + ']'.repeat(30_000),
  '/void': '',
}

const svgWords = /<title>([^<]*)<\/title>/

for (const runtime of runtimes) {
  describe(`live badges on ${runtime}`, () => {
    let requests: { readonly path: string; readonly headers: Headers }[] = []
    let slow: (() => void)[] = []
    const site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname } = new URL(request.url)
        requests.push({ path: pathname, headers: request.headers })
        if (pathname.startsWith('/slow')) await new Promise<void>((resolve) => slow.push(resolve))
        if (pathname === '/redirect') return Response.redirect('http://10.0.0.1:8080/', 302)
        const document = documents[pathname]
        if (document !== undefined || pathname.startsWith('/slow'))
          return Response.json(document ?? documents['/package'], { headers: { etag: '"one"' } })
        const text = texts[pathname]
        return text === undefined ? new Response('gone', { status: 404 }) : new Response(text)
      },
    })
    const origin = `http://127.0.0.1:${site.port}`

    const server = started(() =>
      startServer({
        runtime,
        env: {
          FETCH_ALLOW_CIDRS: '127.0.0.0/8',
          FETCH_ALLOW_PORTS: `${site.port},80,8080`,
          DEMO_DAILY_QUOTA: '100000',
          FETCH_UNPAID_PER_MINUTE: '10000',
        },
      }),
    )

    beforeEach(() => {
      requests = []
      slow = []
    })

    afterAll(async () => {
      await site.stop(true)
    })

    type Parameters = Readonly<Record<string, string>>

    async function ask(path: string, headers: Record<string, string> = {}) {
      const response = await fetch(server.url + path, { headers })
      return { response, status: response.status, headers: response.headers, text: await response.text() }
    }

    function badge(parameters: Parameters, headers: Record<string, string> = {}) {
      return ask(`/api/badge?${new URLSearchParams({ demo: '1', ...parameters })}`, headers)
    }

    async function json(parameters: Parameters) {
      const { status, text } = await badge({ format: 'json', ...parameters })
      return { status, ...JSON.parse(text) }
    }

    test('an endpoint says label, message, colours, logo and style', async () => {
      expect(await json({ endpoint: `${origin}/endpoint` })).toEqual({
        status: 200,
        schemaVersion: 1,
        label: 'coverage',
        message: '93%',
        color: '#4d8209',
        labelColor: '#000080',
        namedLogo: 'github',
        logoColor: '#ffffff',
        style: 'for-the-badge',
      })
    })

    test('what the caller gives wins over the document, and a logo of its own has not the colour of the other', async () => {
      const own = { label: 'tests', color: 'blue', labelColor: 'red', logo: 'npm', style: 'flat' }
      const { namedLogo, logoColor, ...rest } = await json({ endpoint: `${origin}/endpoint`, ...own })
      expect(rest).toEqual({
        status: 200,
        schemaVersion: 1,
        label: 'tests',
        message: '93%',
        color: '#0a76bb',
        labelColor: '#cf3b2f',
      })
      expect([namedLogo, logoColor]).toEqual(['npm', undefined])
    })

    test('nobody paints over the colour of an error', async () => {
      expect(await json({ endpoint: `${origin}/error`, color: 'green' })).toMatchObject({ color: '#cf3b2f' })
    })

    test('a colour that is none and a picture with a script are left out; a picture that is safe is shown', async () => {
      expect(await json({ endpoint: `${origin}/no-color` })).toEqual({
        status: 200,
        schemaVersion: 1,
        label: 'a',
        message: 'b',
        color: '#737373',
      })
      expect((await json({ endpoint: `${origin}/svg` })).logoSvg).toContain('<path d="M0 0h1v1z"/>')
    })

    test.each(cases.values as unknown as [Record<string, string>, string][])(
      'finds %p',
      async (parameters, message) => {
        const [[name, path]] = Object.entries(parameters) as [[string, string]]
        expect(await json({ ...parameters, [name]: origin + path } as Parameters)).toMatchObject({
          status: 200,
          message,
        })
      },
    )

    test('a number chooses its colour by the largest threshold that it reaches', async () => {
      const color = '80:green,0:red,50:yellow'
      const live = { json: `${origin}/package`, query: '$.downloads', color }
      expect(await json(live)).toMatchObject({ color: '#4d8209' })
      for (const [value, expected] of cases.colors as [string, string][])
        expect(await json({ value, color })).toMatchObject({ color: expected })
    })

    test.each(cases.failures as unknown as [Record<string, string>, string][])(
      '%p is a 502 with the reason, which costs nothing',
      async (parameters, reason) => {
        const [[name, path]] = Object.entries(parameters) as [[string, string]]
        const before = (await badge({ value: 'a' })).headers.get('x-quota-remaining')
        const { status, text } = await badge({ ...parameters, [name]: origin + path } as Parameters)
        expect({ status, ...JSON.parse(text) }).toMatchObject({
          status: 502,
          code: 'upstream_failed',
          reason,
        })
        const after = (await badge({ value: 'a' })).headers.get('x-quota-remaining')
        expect(Number(before) - Number(after)).toBe(1)
      },
    )

    test('a document of exactly 1 MiB is read, and its value shortened', async () => {
      const { message } = await json({ json: `${origin}/longest`, query: '$.version' })
      expect(message).toBe(`${'x'.repeat(199)}…`)
    })

    test('fallback=badge answers 200 with a grey badge for a minute, which costs nothing', async () => {
      const before = (await badge({ value: 'a' })).headers.get('x-quota-remaining')
      for (const [parameters, words] of [
        [{ json: `${origin}/package`, query: '$.missing', label: 'x' }, 'x: no result'],
        [{ json: `${origin}/missing`, query: '$.a', label: 'x' }, 'x: inaccessible'],
        [{ endpoint: 'http://10.0.0.1/', label: 'x' }, 'x: inaccessible'],
      ] as const) {
        const { status, headers, text } = await badge({ ...parameters, fallback: 'badge' })
        const expected = [200, words, 'public, max-age=60']
        expect([status, svgWords.exec(text)?.[1], headers.get('cache-control')]).toEqual(expected)
        expect(text).toContain('#737373')
        // Nothing was counted, so no quota is told.
        expect(headers.get('x-quota-remaining')).toBeNull()
      }
      const after = (await badge({ value: 'a' })).headers.get('x-quota-remaining')
      expect(Number(before) - Number(after)).toBe(1)
    })

    test('the document decides how long its badge may be cached, within bounds, unless the caller does', async () => {
      for (const [parameters, seconds] of [
        [{ endpoint: `${origin}/endpoint` }, 120],
        [{ endpoint: `${origin}/brief` }, 60],
        [{ endpoint: `${origin}/forever` }, 86_400],
        [{ json: `${origin}/package`, query: '$.version' }, 300],
        [{ endpoint: `${origin}/endpoint`, cacheSeconds: '600' }, 600],
      ] as const)
        expect((await badge(parameters as Parameters)).headers.get('cache-control')).toBe(
          `public, max-age=${seconds}, stale-while-revalidate=86400`,
        )
    })

    test('mistakes are named before anything is fetched', async () => {
      for (const [parameters, names] of [
        [{ endpoint: `${origin}/a`, json: `${origin}/b`, query: '$' }, ['endpoint', 'json']],
        [{ json: `${origin}/b` }, ['query']],
        [{ json: `${origin}/b`, query: 'version' }, ['query']],
        [{ json: `${origin}/b`, query: '$[' }, ['query']],
        [{ json: `${origin}/b`, query: '$[?@.a' }, ['query']],
        [{ endpoint: `${origin}/b`, query: '$' }, ['query']],
        [{ endpoint: `${origin}/b`, prefix: 'v' }, ['prefix']],
        [{ endpoint: 'file:///etc/passwd' }, ['endpoint', 'value']],
        [{ endpoint: 'https://user:secret@example.com/' }, ['endpoint', 'value']],
        [{ value: 'a', fallback: 'badge' }, ['fallback']],
        [{ value: 'a', color: '0:red,50:nothing' }, ['color']],
      ] as const) {
        const { status, text } = await badge(parameters as Parameters)
        const { errors } = JSON.parse(text) as { errors: { parameter: string }[] }
        expect([status, errors.map(({ parameter }) => parameter).sort()]).toEqual([400, [...names]])
      }
      expect(requests).toEqual([])
    })

    test('addresses that nobody may fetch from are refused, also behind a redirect', async () => {
      for (const [endpoint, code] of [
        ['http://10.0.0.1/', 'blocked_address'],
        ['http://printer.onion/', 'blocked_host'],
        [`http://127.0.0.1:1/`, 'blocked_port'],
        [`${origin}/redirect`, 'blocked_address'],
      ] as const) {
        const { status, text } = await badge({ endpoint })
        expect([status, JSON.parse(text).code]).toEqual([403, code])
      }
    })

    test('equal documents that are asked for together are fetched once, and then not again', async () => {
      const url = `${origin}/slow-once`
      const all = Array.from({ length: 50 }, () => json({ json: url, query: '$.version' }))
      while (slow.length === 0) await Bun.sleep(5)
      for (const release of slow) release()
      for (const { status, message } of await Promise.all(all))
        expect([status, message]).toEqual([200, '1.2.3'])
      expect(await json({ json: url, query: '$.downloads' })).toMatchObject({ message: '81.5' })
      expect(requests.filter(({ path }) => path === '/slow-once')).toHaveLength(1)
    })

    test('a copy of a cached live badge is confirmed with a 304', async () => {
      const parameters = { json: `${origin}/package`, query: '$.version', label: 'confirmed' }
      const etag = (await badge(parameters)).headers.get('etag') ?? ''
      expect((await badge(parameters, { 'if-none-match': etag })).status).toBe(304)
    })

    test.each(cases.urls)('%s needs no other change than its host', async (path, label, message, color) => {
      const asked = path.replace('ORIGIN', encodeURIComponent(origin))
      const { status, text, headers } = await ask(asked)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(svgWords.exec(text)?.[1]?.toLowerCase()).toBe(label === '' ? message : `${label}: ${message}`)
      const asJson = await ask(asked.replace(/(?:\.svg)?\?/, '.json?'))
      expect(JSON.parse(asJson.text)).toMatchObject({ label, message, color })
      const expected = 'image/png'
      expect((await ask(asked.replace(/(?:\.svg)?\?/, '.png?'))).headers.get('content-type')).toBe(expected)
    })

    test('a live badge of shields.io without an address of its document is a 400', async () => {
      for (const path of ['/badge/dynamic/json?', '/endpoint']) expect((await ask(path)).status).toBe(400)
    })

    test('parameters of live badges mean nothing in the URL of a static badge', async () => {
      const { status, text } = await ask(`/badge/a-b-red?json=${origin}/package&query=$.version&fallback=x`)
      expect([status, svgWords.exec(text)?.[1]]).toEqual([200, 'a: b'])
    })

    test('HEAD fetches nothing', async () => {
      const response = await fetch(`${server.url}/api/badge?demo=1&endpoint=${origin}/head-only`, {
        method: 'HEAD',
      })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(requests).toEqual([])
    })
  })
}
