import { readFileSync } from 'node:fs'
import net from 'node:net'
import type { Bundle } from '../../../src/assets/sitemap/bundle.ts'
import { buildBundle } from '../../../src/assets/sitemap/bundle-service.ts'
import type { DiscoveryOptions } from '../../../src/assets/sitemap/discover.ts'
import type { AiPolicy } from '../../../src/assets/sitemap/robots.ts'
import { createWebFetcher } from '../../../src/web/web-fetcher.ts'
import { startRawServer } from '../../web/support/raw-server.ts'

/** The answer of a path of a site, `*` being any other path: a body, or more than that. */
type Answer =
  | string
  | { readonly body?: string | Uint8Array; readonly status?: number; readonly headers?: readonly string[] }
export type Site = Readonly<Record<string, Answer>>

function pem(name: string) {
  return readFileSync(new URL(`../../fixtures/web/tls/${name}`, import.meta.url), 'utf8')
}

export async function serve(sites: Readonly<Record<string, Site>>, { https = true } = {}) {
  const requests: string[] = []
  const behave: Parameters<typeof startRawServer>[0] = (socket, request) => {
    const path = request.split(' ')[1] ?? ''
    const host = /^host: (\S+)/im.exec(request)?.[1] ?? ''
    requests.push(`${host}${path}`)
    const answer = sites[host]?.[path] ?? sites[host]?.['*'] ?? { status: 404, body: 'not here' }
    const { body = '', status = 200, headers = [] } = typeof answer === 'string' ? { body: answer } : answer
    const type = headers.some((line) => /^content-type/i.test(line)) ? [] : [`Content-Type: ${typeOf(path)}`]
    const head = [`HTTP/1.1 ${status} X`, ...type, ...headers, `Content-Length: ${Buffer.byteLength(body)}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.end(body)
  }
  const plain = await startRawServer(behave)
  const secure = await startRawServer(behave, { key: pem('site.key'), cert: pem('site.pem') })
  const fetcher = createWebFetcher({
    userAgent: 'MintmarkBot/1',
    extraRoot: pem('ca.pem'),
    lookup: async (host, family) =>
      family === 4 && host in sites ? [{ address: '93.184.216.34', ttl: 60 }] : [],
    openSocket: (_, port) => net.connect(port === 80 ? plain.port : https ? secure.port : 1, '127.0.0.1'),
  })
  return {
    requests,
    fetcher,
    async close() {
      await plain.close()
      await secure.close()
    },
  }
}

function typeOf(path: string) {
  return /\.(txt|xml|gz)$/.test(path) ? 'text/plain' : 'text/html; charset=utf-8'
}

export function page(title: string, body = '', head = '') {
  return `<!doctype html><title>${title}</title><meta name="description" content="About ${title}.">${head}<body>${body}`
}

export async function look(
  sites: Readonly<Record<string, Site>>,
  settings: Partial<DiscoveryOptions> & { https?: boolean; ai?: AiPolicy } = {},
) {
  const { https, ai = 'allow', ...options } = settings
  const served = await serve(sites, https === undefined ? {} : { https })
  try {
    const request = { host: siteHost, ai, crawl: true }
    const bundle = await buildBundle(
      request,
      { fetcher: served.fetcher, product: 'MintmarkBot', urlsMax: 1_000, pagesMax: 20, ...options },
      Date.UTC(2026, 0, 1),
    )
    return { bundle, requests: served.requests }
  } finally {
    await served.close()
  }
}

export function locs({ sitemap }: Pick<Bundle, 'sitemap'>) {
  return [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])
}
export const siteHost = 'site.example.com'
export const siteOrigin = `https://${siteHost}`
