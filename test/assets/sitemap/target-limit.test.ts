import { beforeEach, expect, test } from 'bun:test'
import net from 'node:net'
import { createBundleService, type SiteBundleRequest } from '../../../src/assets/sitemap/bundle-service.ts'
import type { Requester } from '../../../src/web/requester.ts'
import { createTargetLimit } from '../../../src/web/target-limit.ts'
import { createWebFetcher } from '../../../src/web/web-fetcher.ts'
import { started } from '../../support/started.ts'
import { startRawServer } from '../../web/support/raw-server.ts'

const minuteMs = 60_000
const strangersMax = 20

/** A site of many pages, under any name, and the requests that arrived there. */
let arrived: string[] = []
const server = started(() =>
  startRawServer((socket, request) => {
    const path = request.split(' ')[1] ?? ''
    arrived.push(path)
    const links = Array.from({ length: 40 }, (_, n) => `<a href="/page-${n}">Page ${n}</a>`).join('')
    const isPage = path === '/' || path.startsWith('/page')
    const body = isPage ? `<!doctype html><title>${path}</title>${links}` : ''
    const status = isPage ? '200 OK' : '404 Not Found'
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  }),
)
beforeEach(() => {
  arrived = []
})

function serviceWith(perMinute: number) {
  const clock = { nowMs: 1_700_000_000_000 }
  const now = () => clock.nowMs
  const fetcher = createWebFetcher({
    userAgent: 'MintmarkBot/1',
    lookup: async (_, family) => (family === 4 ? [{ address: '93.184.216.34', ttl: 60 }] : []),
    openSocket: (_, port) => net.connect(port === 80 ? server.port : 1, '127.0.0.1'),
    targets: createTargetLimit({ perMinute, now }),
  })
  const service = createBundleService(fetcher, 'MintmarkBot', now)
  function bundle(host: string, requester: Requester, more: Partial<SiteBundleRequest> = {}) {
    const usual = { ai: 'allow', crawl: true, urlsMax: 1_000, pagesMax: 20 } as const
    return service.bundle({ host, requester, ...usual, ...more })
  }
  return { clock, bundle }
}

function stranger(n: number): Requester {
  return { names: [`stranger ${n}`], kind: 'unpaid', id: `192.0.2.${n}` }
}
const key: Requester = { names: ['key'], kind: 'key', id: 'mk_one' }

test('bundles of all subdomains of a domain make no more requests for strangers than a fifth', async () => {
  const { bundle } = serviceWith(5 * strangersMax)
  const asked = Array.from({ length: 60 }, (_, n) => bundle(`a${n}.example.com`, stranger(n % 30)))
  const results = await Promise.allSettled(asked)
  // Port 443 refuses each of them, which counts as well.
  expect(arrived.length).toBeWithin(1, strangersMax + 1)
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.length).toBeGreaterThan(40)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy', reason: 'target_busy' })
})

test('one that is cut says so, and is kept for a minute', async () => {
  const { bundle, clock } = serviceWith(5 * strangersMax)
  const cut = await bundle('example.com', stranger(1))
  expect(cut.warnings.join()).toContain('target_limit: ')
  // Pages that are known and were not read are listed all the same.
  expect([cut.mode, cut.ttl, cut.counts.urls]).toEqual(['crawl', 60, 41])
  const { length } = arrived
  expect((await bundle('example.com', stranger(2))).generated_at).toBe(cut.generated_at)
  expect(arrived).toHaveLength(length)
  clock.nowMs += 2 * minuteMs
  const whole = await bundle('example.com', key)
  expect(whole.warnings.join()).not.toContain('target_limit')
  expect([whole.ttl, whole.counts.pages]).toEqual([21_600, 20])
})

test('a bundle gives back what it did not need', async () => {
  const { bundle } = serviceWith(600)
  for (let n = 0; n < 4; n += 1) {
    const { ttl, warnings } = await bundle('example.com', stranger(1), { pagesMax: 2, urlsMax: 100 + n })
    expect([ttl, warnings.join()]).toEqual([21_600, ''])
  }
})

test('beyond the limit the bundle that is kept is the answer', async () => {
  const { bundle, clock } = serviceWith(5 * strangersMax)
  const kept = await bundle('example.com', key)
  clock.nowMs += 7 * 3_600_000
  for (let n = 0; n < 30; n += 1) await bundle(`a${n}.example.com`, stranger(n)).catch(() => {})
  const { length } = arrived
  expect(await bundle('example.com', stranger(99))).toBe(kept)
  expect(arrived).toHaveLength(length)
})
