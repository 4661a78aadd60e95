import { SitemapStream, streamToPromise } from 'sitemap'
import { writeSitemap } from '../src/bundle/sitemap-writer.ts'
import { cpuMicrosPerOperation, fasterRow, type Row } from './support/measure.ts'

const URLS = 50_000

/** The largest sitemap that the protocol allows, against sitemap.js. */
export async function benchSitemap(): Promise<readonly Row[]> {
  const entries = Array.from({ length: URLS }, (_, index) => ({
    loc: `https://www.example.com/shop/item-${index}?colour=${index % 7}&size=${index % 3}`,
    lastmod: '2026-01-02T03:04:05.000Z',
  }))
  const ours = await cpuMicrosPerOperation(() => writeSitemap(entries), { rounds: 5, roundMs: 300 })
  const peer = await cpuMicrosPerOperation(() => writeWithPeer(entries), { rounds: 3, roundMs: 300 })
  return [fasterRow(`${URLS} URLs`, ours / 1000, 'sitemap.js', peer / 1000, 4, 'ms')]
}

const writeWithPeer = (entries: readonly { readonly loc: string; readonly lastmod: string }[]) => {
  const stream = new SitemapStream({ hostname: 'https://www.example.com' })
  const written = streamToPromise(stream)
  for (const { loc, lastmod } of entries) stream.write({ url: loc, lastmod })
  stream.end()
  return written
}
