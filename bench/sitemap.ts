import { SitemapStream, streamToPromise } from 'sitemap'
import { writeSitemap } from '../src/assets/sitemap/write-sitemap.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { comparedRows } from './support/measure.ts'
import type { Row } from './support/row.ts'

const urls = 50_000

/** The largest sitemap that the protocol allows, against sitemap.js. */
export async function benchSitemap(): Promise<readonly Row[]> {
  const entries = Array.from({ length: urls }, (_, index) => ({
    loc: `https://www.example.com/shop/item-${index}?colour=${index % 7}&size=${index % 3}`,
    lastmod: '2026-01-02T03:04:05.000Z',
  }))
  const peer = { name: 'sitemap.js', run: () => writeWithPeer(entries), atLeast: 4 }
  return comparedRows(`${urls} URLs`, () => encodedBytes(writeSitemap(entries)), [peer])
}

function writeWithPeer(entries: readonly { readonly loc: string; readonly lastmod: string }[]) {
  const stream = new SitemapStream({ hostname: 'https://www.example.com' })
  const written = streamToPromise(stream)
  for (const { loc, lastmod } of entries) stream.write({ url: loc, lastmod })
  stream.end()
  return written
}
