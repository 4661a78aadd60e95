import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createPublicDocuments } from '../../src/http/public-documents.ts'
import type { RequestContext } from '../../src/http/request-context.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { runtimes, sampleOf } from '../support/test-size.ts'
import cases from './public-documents.json' with { type: 'json' }

const paths = cases.paths
const unpack = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync, identity: Buffer.from }

describe.each(runtimes)('on %s', (runtime) => {
  const server = started(() => startServer({ runtime }))

  function ask(path: string, headers: Readonly<Record<string, string>>, method = 'GET') {
    return fetch(server.url + path, { method, headers, decompress: false })
  }

  test.each(sampleOf(paths, 3))(
    '%s stands as the same bytes in every encoding, each with an ETag and a 304',
    async (path) => {
      const plain = await (await ask(path, { 'accept-encoding': 'identity' })).bytes()
      for (const encoding of ['zstd', 'br', 'gzip', 'identity'] as const) {
        const accept = { 'accept-encoding': encoding }
        const first = await ask(path, accept)
        const body = await first.bytes()
        const sent = (first.headers.get('content-encoding') ?? 'identity') as keyof typeof unpack
        expect(['identity', encoding]).toContain(sent)
        expect(Buffer.from(unpack[sent](body)).equals(plain)).toBe(true)
        const etag = first.headers.get('etag') ?? ''
        expect(etag).toMatch(/^"[\w-]{22}(?:-(?:zstd|br|gzip))?"$/)
        const again = await ask(path, { ...accept, 'if-none-match': etag })
        expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
        const head = await ask(path, accept, 'HEAD')
        for (const name of cases.names)
          expect([name, head.headers.get(name)]).toEqual([name, first.headers.get(name)])
      }
    },
  )

  test('a document names the origin that it was asked under, whatever others asked for before', async () => {
    const { port } = server
    for (const host of ['a.example', 'b.example', 'a.example']) {
      const { text } = await rawHttp(port, rawGet('/openapi.json', host))
      expect(text).toContain(`"url":"http://${host}"`)
    }
  })
})

describe('without BASE_URL', () => {
  const server = started(() => startService({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } }))

  /** The text without what differs between two installations, and without the places where code may break. */
  function compared(text: string): string {
    // The search is told the beginnings of sections.
    if (text.startsWith('[['))
      return JSON.stringify(JSON.parse(text).map((row: string[]) => row.map((cell) => cell.slice(0, 900))))
    return text
      .replaceAll('<wbr/>', '')
      .replace(/(\/playground\/[\w-]+\?)[^"]*/g, '$1')
      .replace(/(?:rendered|from cache) in <b>[\d.]+ .?s|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
  }

  test.each(
    sampleOf(
      [
        'http://cards.example',
        'https://cards.example.com',
        'http://localhost:3000',
        'http://cards',
        'https://[2001:db8::1]:8443',
      ],
      4,
    ),
  )('every document for %s is what a server with that BASE_URL answers', async (baseUrl) => {
    const fixed = await startService({ env: { BASE_URL: baseUrl } })
    const routes = await server.service.routes()
    const asked = routes.filter(
      ({ method, path }) => method === 'GET' && !/^\/(?:admin|api|assets|status|metrics|readyz)|:/.test(path),
    )
    expect(asked.length).toBeGreaterThan(30)
    const { host, protocol } = new URL(baseUrl)
    const headers = { host, 'x-forwarded-proto': protocol.slice(0, -1) }
    for (const { path } of asked) {
      const answers = await Promise.all(
        [server, fixed].map(({ url }) => fetch(url + path, { headers, redirect: 'manual' })),
      )
      const [one = '', other] = await Promise.all(answers.map((answer) => answer.text()))
      expect(`${path} ${compared(one)}`).toBe(`${path} ${compared(other ?? '')}`)
    }
    await fixed.stop()
  })

  test('no answer that names the scheme of a caller is stored for others, and a stored one is asked about', async () => {
    const routes = await server.service.routes()
    const paths = [
      ...routes.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/:\w+/g, 'x')),
      ...['/docs/', '/nothing', '/api/og?title=A', '/api/og?title=A&demo=1', '/api/og', '/api/stats'],
      ...[
        '/api/sitemap?domain=example.com&crawl=0&demo=1',
        '/badge/a-b-red?demo=1',
        '/pictures/share-docs.png',
      ],
    ]
    const named: string[] = []
    for (const path of paths) {
      const [http, https] = await Promise.all(
        ['http', 'https'].map(async (scheme) => {
          const headers = { 'x-forwarded-proto': scheme, host: 'cards.example' }
          const answer = await fetch(server.url + path, { headers, redirect: 'manual' })
          const head = [...answer.headers].map((line) => line.join(': '))
          const text = `${head.filter((line) => /cards\.example/.test(line)).join()}\n${await answer.text()}`
          return { answer, names: text.includes(`${scheme}://cards.example`) }
        }),
      )
      if (http?.names !== true || https?.names !== true) continue
      named.push(path)
      for (const { answer } of [http, https])
        expect([path, answer.headers.get('cache-control')]).toEqual([
          path,
          expect.stringMatching(/^(?:private, )?no-(?:cache|store)/),
        ])
      const etag = http.answer.headers.get('etag')
      if (etag === null) continue
      const headers = { 'x-forwarded-proto': 'https', host: 'cards.example', 'if-none-match': etag }
      expect([path, (await fetch(server.url + path, { headers })).status]).toEqual([path, 200])
    }
    expect(named).toEqual(expect.arrayContaining(['/openapi.json', '/llms.txt', '/robots.txt', '/docs', '/']))
  })
})

test('a document is written once for all hosts, each of which has its own ETag', async () => {
  const documents = createPublicDocuments(1_000_000)
  let written = 0
  const tags = new Set<string | null>()
  for (let host = 0; host < 100; host += 1) {
    const request = new Request('http://mintmark/')
    const baseUrl = `http://host-${host}.example`
    const answer = await documents.answer({ request, baseUrl } as RequestContext, {
      key: 'page',
      headers: { 'content-type': 'text/html' },
      write(origin) {
        written += 1
        return `<a href="${origin}/docs">${origin}</a> ${new URL(origin).host}`
      },
    })
    expect(await answer.text()).toBe(`<a href="${baseUrl}/docs">${baseUrl}</a> host-${host}.example`)
    tags.add(answer.headers.get('etag'))
  }
  expect([written, tags.size]).toEqual([1, 100])
})

test('strangers who make up hosts do not make the memory for documents grow', async () => {
  const bytesMax = 100_000
  const documents = createPublicDocuments(bytesMax)
  const request = new Request('http://mintmark/', { headers: { 'accept-encoding': 'gzip' } })
  for (let host = 0; host < 300; host += 1) {
    await documents.answer({ request, baseUrl: `http://${host}.example` } as RequestContext, {
      key: 'openapi',
      headers: { 'content-type': 'application/json' },
      write: (origin) => `${origin} `.repeat(500),
    })
    expect(documents.stats().bytes).toBeLessThanOrEqual(bytesMax)
  }
})

test('callers who ask at once wait for one writing and one compression', async () => {
  const documents = createPublicDocuments(100_000)
  const request = new Request('http://mintmark/', { headers: { 'accept-encoding': 'br' } })
  let written = 0
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      documents.answer({ request, baseUrl: 'http://a.example' } as RequestContext, {
        key: 'a',
        headers: { 'content-type': 'text/plain' },
        async write() {
          written += 1
          return 'once '.repeat(1_000)
        },
      }),
    ),
  )
  const bodies = await Promise.all(answers.map((answer) => answer.bytes()))
  expect([written, new Set(bodies.map(String)).size, documents.stats().misses]).toEqual([1, 1, 2])
})
