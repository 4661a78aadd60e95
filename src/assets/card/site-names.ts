import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import type { Requester } from '../../web/requester.ts'
import type { LivePages } from '../live-pages.ts'

export type SiteNames = ReturnType<typeof createSiteNames>

/** How long a list is good enough for a page that it does not have. */
const renewMs = 300_000
const sitesMax = 10_000
const readingsMax = 256
const charsMax = 16 * 1_048_576

/**
 * The pages that sites name on their home pages and in their sitemaps: these come first where strangers share a budget. A
 * list is read in the background when a page is asked for that is not in it.
 */
export function createSiteNames({ load, now }: Pick<LivePages, 'load' | 'now'>) {
  const lists = new LRUCache<string, ReadonlySet<string>>({
    maxSize: charsMax,
    sizeCalculation: (paths) => [...paths].reduce((sum, path) => sum + path.length + 50, 1_000),
  })
  /** Apart from the lists, because a site whose list has left the memory is read no more often for that. */
  const readAtMs = new LRUCache<string, number>({ max: sitesMax })
  const readings = new Map<string, Promise<void>>()

  async function read(origin: string, requester: Requester): Promise<void> {
    try {
      const paths = await (await load()).readSiteNames(origin, requester)
      lists.set(origin, paths)
      readAtMs.set(origin, now())
    } catch {
      // There was no slot for it. The next page that is not known tries again.
    } finally {
      readings.delete(origin)
    }
  }

  function has({ origin, pathname, search }: URL): boolean {
    return lists.get(origin)?.has(pathname + search) === true
  }

  return {
    /** Whether the site names a page, as far as that is known. */
    has: (address: string): boolean => has(new URL(address)),
    /** Has the list of a site read, if it is old and does not have the page. */
    renew(address: string, requester: Requester): void {
      const url = new URL(address)
      const { origin } = url
      if (has(url) || readings.has(origin) || readings.size >= readingsMax) return
      const atMs = readAtMs.get(origin)
      if (atMs !== undefined && isWithin(atMs, now(), renewMs)) return
      readings.set(origin, read(origin, requester))
    },
    /** Resolves when the list of a site was read; undefined while it is not being read. */
    reading: (address: string): Promise<void> | undefined => readings.get(new URL(address).origin),
  }
}
