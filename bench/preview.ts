import { readFileSync } from 'node:fs'
import ogs from 'open-graph-scraper'
import { SitemapStream, streamToPromise } from 'sitemap'
import { unfurl } from 'unfurl.js'
import { createPageParser } from '../src/assets/preview/page-parser.ts'
import { writeSitemap } from '../src/assets/sitemap/write-sitemap.ts'
import { createWebFetcher } from '../src/web/web-fetcher.ts'
import { comparedRows, cpuMsOf, encodedBytes, isQuick, quantile, type Row, row } from './support/measure.ts'
import { type BenchPage, benchPages, megabytePages } from './support/pages.ts'

/** A server that has just started takes 15 to 25 ms for its first large pages: they are compiled meanwhile. */
const readsOfWarmUp = isQuick ? 10 : 600

export async function benchPreview(): Promise<readonly Row[]> {
  const pages = benchPages()
  // First, as what other readers leave behind is not to be collected meanwhile.
  for (let read = 0; read < readsOfWarmUp; read++) await readOurs(pages[read % pages.length] as BenchPage)
  const megabyte = await megabyteRows()
  function eachOf(read: (page: BenchPage) => Promise<unknown>) {
    return async (index: number) => JSON.stringify(await read(pages[index % pages.length] as BenchPage))
  }
  const peers = [
    { name: 'unfurl.js', run: eachOf(readUnfurl), min: 0.77 },
    { name: 'open-graph-scraper', run: eachOf(({ html }) => ogs({ html })), min: 5 },
  ]
  return [
    ...(await comparedRows('One page, read whole', eachOf(readOurs), peers, { warmUps: 10, roundMs: 700 })),
    ...megabyte,
    await loopbackRow(),
    // Last, as what they leave behind is not to be counted with the pages above.
    ...(await hostileRows()),
  ]
}

async function readOurs({ url, bytes }: Pick<BenchPage, 'url' | 'bytes'>) {
  const parser = createPageParser({ url, headers: {}, contentType: 'text/html' })
  for (let at = 0; at < bytes.length; at += 65_536)
    if (!(await parser.write(bytes.subarray(at, at + 65_536)))) break
  return await parser.finish()
}

function readUnfurl({ url, bytes }: BenchPage) {
  const headers = { 'content-type': 'text/html' }
  const body = bytes as Uint8Array<ArrayBuffer>
  return unfurl(url, { oembed: false, fetch: async () => new Response(body, { headers }) })
}

/** A site on loopback, in a process of its own, which writes one page to every connection and closes. Prints its port. */
const pageServer = `const page = '<!doctype html><title>Loopback</title>' + '<p>some words of a page</p>'.repeat(300)
const head = 'HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: ' + page.length + '\\r\\nConnection: close\\r\\n\\r\\n'
const data = (socket) => { socket.write(head + page); socket.end() }
console.log(Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data } }).port)`

async function loopbackRow(): Promise<Row> {
  const server = Bun.spawn([process.execPath, '-e', pageServer], { stdout: 'pipe' })
  const { value } = await server.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  const fetcher = createWebFetcher({
    userAgent: 'Bench',
    allowCidrs: ['127.0.0.0/8'],
    allowPorts: [port],
    lookup: async (_, ipFamily) => (ipFamily === 4 ? [{ address: '127.0.0.1', ttl: 60 }] : []),
  })
  async function fetchMany(count: number): Promise<void> {
    let next = 0
    async function work(): Promise<void> {
      while (next < count)
        await fetcher.fetchPage(`http://h${next++ % 40}.example.com:${port}/`, {
          sink: () => ({ write: () => true, isUseful: () => true }),
        })
    }
    await Promise.all(Array.from({ length: 64 }, work))
  }
  const fetches = isQuick ? 500 : 10_000
  await fetchMany(fetches / 5)
  const ms = await cpuMsOf(() => fetchMany(fetches))
  server.kill()
  return row({ what: 'Loopback fetches in a second of CPU', ours: (1_000 * fetches) / ms, min: 3_000 })
}

/** Each page is read three times, and the least CPU counts: the others pay for what else the machine does. */
async function megabyteRows(): Promise<readonly Row[]> {
  const times: number[] = []
  for (const page of megabytePages(isQuick ? 5 : 100)) {
    const tries: number[] = []
    while (tries.length < 3) tries.push(await cpuMsOf(() => readOurs(page)))
    times.push(Math.min(...tries))
  }
  return [
    row({ what: 'A page of a megabyte, p99', ours: quantile(times, 0.98), unit: 'ms', max: 10 }),
    row({ what: 'A page of a megabyte, longest', ours: Math.max(...times), unit: 'ms', max: 50 }),
  ]
}

interface HostilePage {
  readonly parts: readonly (readonly [string, number])[]
}

async function hostileRows(): Promise<readonly Row[]> {
  const file = new URL('../test/fixtures/preview/adversarial.json', import.meta.url)
  const cases: readonly HostilePage[] = JSON.parse(readFileSync(file, 'utf8')).cases
  const pages = cases.map(({ parts }) => {
    const text = parts.map(([piece, times]) => piece.repeat(times)).join('')
    return { url: 'https://site.example.com/', bytes: Buffer.from(text) }
  })
  await Promise.all(pages.map(readOurs))
  const spentMs: number[] = []
  for (const page of pages) spentMs.push(await cpuMsOf(() => readOurs(page)))
  const lateMs: number[] = []
  let dueMs = performance.now() + 1
  const timer = setInterval(() => {
    lateMs.push(Math.max(0, performance.now() - dueMs))
    dueMs = performance.now() + 1
  }, 1)
  await Promise.all(pages.map(readOurs))
  clearInterval(timer)
  return [
    row({ what: 'CPU of the dearest hostile page', ours: Math.max(...spentMs), unit: 'ms', max: 250 }),
    row({ what: 'Lag of others meanwhile, p99', ours: quantile(lateMs, 0.99), unit: 'ms', max: 50 }),
  ]
}

const urls = 50_000

/** The largest sitemap that the protocol allows, against sitemap.js. */
export async function benchSitemap(): Promise<readonly Row[]> {
  const entries = Array.from({ length: urls }, (_, index) => ({
    loc: `https://www.example.com/shop/item-${index}?colour=${index % 7}&size=${index % 3}`,
    lastmod: '2026-01-02T03:04:05.000Z',
  }))
  function writeWithPeer(): Promise<Buffer> {
    const stream = new SitemapStream({ hostname: 'https://www.example.com' })
    const written = streamToPromise(stream)
    for (const { loc, lastmod } of entries) stream.write({ url: loc, lastmod })
    stream.end()
    return written
  }
  const peer = { name: 'sitemap.js', run: writeWithPeer, min: 4 }
  return comparedRows(`${urls} URLs`, () => encodedBytes(writeSitemap(entries)), [peer])
}
