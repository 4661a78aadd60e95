import assert from 'node:assert/strict'
import { createPreviewService } from '../../../src/assets/preview/preview-service.ts'
import { toMicrolink, toOembed } from '../../../src/assets/preview/produce.ts'
import { createWebFetcher } from '../../../src/web/web-fetcher.ts'
import type { Check } from '../../support/check.ts'
import { eventually } from '../../support/eventually.ts'
import { startRawServer } from '../../web/support/raw-server.ts'

const hourMs = 3_600_000

async function setUp(headers = '') {
  const requests: string[] = []
  let clockMs = Date.UTC(2026, 0, 1)
  let failing = false
  const server = await startRawServer((socket, request) => {
    requests.push(request)
    if (failing) return socket.end('HTTP/1.1 503 Down\r\nContent-Length: 0\r\n\r\n')
    const page = `<title>Version ${requests.length}</title><meta property="og:image" content="/i.png">`
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}Content-Length: ${page.length}\r\n\r\n${page}`
    setTimeout(() => socket.end(answer), 5)
  })
  const allowPorts = [server.port]
  const fetcher = createWebFetcher({
    userAgent: 'MintmarkBot/1 (+https://mint.example/bot)',
    allowCidrs: ['127.0.0.0/8'],
    allowPorts,
  })
  const service = createPreviewService({ fetcher, allowPorts, now: () => clockMs })
  const url = `http://127.0.0.1:${server.port}/page`
  return {
    service,
    url,
    requests,
    close: server.close,
    later: (ms: number) => {
      clockMs += ms
    },
    fail: (value: boolean) => {
      failing = value
    },
  }
}

type Site = Awaited<ReturnType<typeof setUp>>

function serviceCheck(name: string, use: (site: Site) => Promise<void>, headers?: string): Check {
  return {
    name,
    async run() {
      const site = await setUp(headers)
      await use(site).finally(site.close)
    },
  }
}

export const checks: readonly Check[] = [
  serviceCheck(
    'equal requests in flight share one fetch, and later ones its answer',
    async ({ service, url, requests }) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => service.preview({ url })))
      assert.equal(requests.length, 1)
      assert.deepEqual(new Set(answers.map(({ title }) => title)), new Set(['Version 1']))
      const again = await service.preview({ url: url.replace('http://', 'HTTP://').concat('#fragment') })
      assert.deepEqual([again.cache.state, requests.length], ['hit', 1])
    },
  ),
  serviceCheck(
    'the request names the bot and the language, and carries neither cookie nor referer',
    async ({ service, url, requests }) => {
      await service.preview({ url, lang: 'de-CH' })
      const [request = ''] = requests
      assert.match(request, /^GET \/page HTTP\/1.1\r\n/)
      assert.match(request, /\r\nUser-Agent: MintmarkBot\/1 \(\+https:\/\/mint\.example\/bot\)\r\n/)
      assert.match(request, /\r\nAccept-Language: de-CH\r\n/)
      assert.doesNotMatch(request, /cookie|referer|authorization/i)
    },
  ),
  serviceCheck('each language is its own answer', async ({ service, url, requests }) => {
    await service.preview({ url, lang: 'de' })
    await service.preview({ url, lang: 'fr' })
    assert.equal(requests.length, 2)
  }),
  serviceCheck('fresh does not answer from memory, but renews it', async ({ service, url }) => {
    await service.preview({ url })
    assert.equal((await service.preview({ url, fresh: true })).title, 'Version 2')
    assert.equal((await service.preview({ url })).title, 'Version 2')
  }),
  serviceCheck(
    'past its time an answer is given once more while it is renewed',
    async ({ service, url, later, requests }) => {
      await service.preview({ url })
      later(2 * hourMs)
      const stale = await service.preview({ url })
      assert.deepEqual([stale.title, stale.cache], ['Version 1', { state: 'stale', age: 7_200, ttl: 3_600 }])
      await eventually(async () => (await service.preview({ url })).title === 'Version 2')
      assert.equal(requests.length, 2)
    },
  ),
  serviceCheck(
    'when the site is down an old answer is better than none, for a week',
    async ({ service, url, later, fail }) => {
      await service.preview({ url })
      fail(true)
      later(48 * hourMs)
      assert.deepEqual((await service.preview({ url })).cache.state, 'stale')
      later(8 * 24 * hourMs)
      await assert.rejects(service.preview({ url }), { reason: 'target_http_status', targetStatus: 503 })
    },
  ),
  serviceCheck('a failure is remembered for a minute', async ({ service, url, later, fail, requests }) => {
    fail(true)
    await assert.rejects(service.preview({ url }), { reason: 'target_http_status' })
    await assert.rejects(service.preview({ url }), { reason: 'target_http_status' })
    assert.equal(requests.length, 1)
    fail(false)
    later(61_000)
    assert.equal((await service.preview({ url })).title, 'Version 2')
  }),
  ...(
    [
      ['Cache-Control: max-age=10\r\n', 300],
      ['Cache-Control: max-age=999999\r\n', 86_400],
      ['Cache-Control: max-age=5000, s-maxage=600\r\n', 600],
      ['Cache-Control: no-store\r\n', 300],
      ['Expires: Thu, 01 Jan 2026 02:00:00 GMT\r\n', 7_200],
      ['', 3_600],
    ] as const
  ).map(([header, ttl]) =>
    serviceCheck(
      `"${header.trim()}" is kept for ${ttl} seconds`,
      async ({ service, url }) => assert.equal((await service.preview({ url })).cache.ttl, ttl),
      header,
    ),
  ),
  serviceCheck('the other formats carry the same facts', async ({ service, url }) => {
    const preview = await service.preview({ url })
    const image = new URL('/i.png', url).href
    assert.deepEqual(toOembed(preview), {
      version: '1.0',
      type: 'link',
      title: 'Version 1',
      provider_name: '127.0.0.1',
      provider_url: new URL(url).origin,
      url,
      thumbnail_url: image,
      cache_age: 3_600,
    })
    const { data } = toMicrolink(preview) as { data: { title: string; image: unknown } }
    assert.deepEqual(
      [data.title, data.image],
      ['Version 1', { url: image, type: null, width: null, height: null }],
    )
  }),
]
