import { readFileSync } from 'node:fs'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Bundle } from '../../../src/assets/sitemap/bundle.ts'
import { buildBundle } from '../../../src/assets/sitemap/bundle-service.ts'
import { w3cDate } from '../../../src/assets/sitemap/collect-sitemaps.ts'
import type { DiscoveryOptions } from '../../../src/assets/sitemap/discover.ts'
import { SitemapReader } from '../../../src/assets/sitemap/read-sitemap.ts'
import type { AiPolicy } from '../../../src/assets/sitemap/robots.ts'
import { type LlmsRequest, llmsSteps } from '../../../src/assets/sitemap/write-llms.ts'
import type { SitemapEntry } from '../../../src/assets/sitemap/write-sitemap.ts'
import { createCpuBudget } from '../../../src/lib/cooperative-scheduler.ts'
import { drained } from '../../../src/lib/json.ts'
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

/** The time of these tests, so that dates of theirs are not in the future. */
const nowMs = Date.UTC(2026, 5, 1)

/** Reads a whole sitemap, up to `recordsMax` entries and sitemaps together. */
export async function readSitemap(text: string, recordsMax: number) {
  const entries: SitemapEntry[] = []
  const children: string[] = []
  const titles: string[] = []
  const reader = new SitemapReader({
    isDone: () => entries.length + children.length >= recordsMax,
    onWork() {},
    wantsExtensions: () => true,
    onRecord({ isSitemap, loc, lastmod, extensions, title }) {
      if (isSitemap) return void children.push(loc)
      entries.push({ loc, lastmod: w3cDate(lastmod, nowMs), ...(extensions !== '' && { extensions }) })
      if (title !== '') titles.push(title)
    },
  })
  const budget = createCpuBudget()
  await budget.run(reader.read(text))
  await budget.run(reader.end())
  return { entries, children, titles, isCut: reader.isCut(), skippedKinds: [...reader.skippedKinds()] }
}

export function hasXmllint(): boolean {
  return Bun.which('xmllint') !== null
}
const schema = fileURLToPath(new URL('../../fixtures/bundle/sitemap.xsd', import.meta.url))

export async function judge(xml: string): Promise<string> {
  const xmllint = Bun.spawn(['xmllint', '--noout', '--nonet', '--schema', schema, '-'], {
    stdin: Buffer.from(xml),
    stderr: 'pipe',
  })
  const complaints = await new Response(xmllint.stderr).text()
  return (await xmllint.exited) === 0 ? '' : complaints
}

/** Writes an llms.txt in one turn. */
export function writeLlms(request: Pick<LlmsRequest, 'pages'> & Partial<LlmsRequest>): string {
  return drained(llmsSteps({ host: 'example.com', name: 'Example', summary: undefined, ...request })).text
}
