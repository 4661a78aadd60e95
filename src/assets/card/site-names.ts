import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import type { Requester } from '../../web/slot-table.ts'
import type { LivePages } from '../live-pages.ts'

export type SiteNames = ReturnType<typeof createSiteNames>

/** The pages that a site names, as they were read last. */
interface NameList {
  readonly paths: ReadonlySet<string>
  readonly readAtMs: number
}

/** How long a list is good enough for a page that it does not have. */
const renewMs = 300_000
const readingsMax = 16
const charsMax = 16 * 1_048_576

/**
 * The pages that sites name on their home pages and in their sitemaps: these come first where strangers share a budget. A
 * list is read in the background when a page is asked for that is not in it.
 */
export function createSiteNames({ load, now }: Pick<LivePages, 'load' | 'now'>) {
  const lists = new LRUCache<string, NameList>({
    maxSize: charsMax,
    sizeCalculation: ({ paths }) => [...paths].reduce((sum, path) => sum + path.length + 50, 1_000),
  })
  const readings = new Map<string, Promise<void>>()

  async function read(name: string, { origin }: URL, requester: Requester): Promise<void> {
    try {
      const paths = await (await load()).readSiteNames(origin, requester)
      lists.set(name, { paths, readAtMs: now() })
    } catch {
      // There was no slot for it. The next page that is not known tries again.
    } finally {
      readings.delete(name)
    }
  }

  function has(url: URL): boolean {
    const paths = lists.get(siteName(url))?.paths
    return url.pathname === '/' || paths?.size === 0 || paths?.has(url.pathname + url.search) === true
  }

  return {
    /** Whether the site names a page, as far as that is known. No page of a site that names none comes before another. */
    has: (address: string): boolean => has(new URL(address)),
    /** Has the list of a site read, if it is old and does not have the page, and if it may be read now. */
    renew(address: string, requester: Requester, mayRead = (): boolean => true): void {
      const url = new URL(address)
      const name = siteName(url)
      const list = lists.get(name)
      if (has(url) || readings.has(name) || readings.size >= readingsMax) return
      if (list !== undefined && isWithin(list.readAtMs, now(), renewMs)) return
      if (!mayRead()) return
      readings.set(name, read(name, url, requester))
    },
    /** Resolves when the list of a site was read; undefined while it is not being read. */
    reading: (address: string): Promise<void> | undefined => readings.get(siteName(new URL(address))),
  }
}

/** One list for a host, with or without `www.`, whatever the scheme. */
function siteName({ host }: URL): string {
  return host.replace(/^www\./, '')
}
