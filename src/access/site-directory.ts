import { LRUCache } from 'lru-cache'
import type { CardSites, HostSite } from '../assets/card/card-sites.ts'
import type { KeyRow } from '../store/keys.ts'
import type { Store } from '../store/open.ts'
import { changesMsMax } from './key-cache.ts'
import { hostsOf, isOnHosts } from './key-hosts.ts'
import { keyLookOf } from './key-look.ts'
import { isSiteId } from './keys.ts'

/** A site as it was read last; null where there was none. */
interface ReadSite {
  readonly site: HostSite | null
  readonly revision: number
  /** The epoch in which the reading began. */
  readonly epoch: number
  readonly atMs: number
}

const sitesMax = 10_000

/** The keys that name hosts, by their public ids. Whether a key grants anything is for the authorizer to say. */
export function createSiteDirectory({ keys, changes }: Store): CardSites {
  const read = new LRUCache<string, ReadSite>({ max: sitesMax })
  const loading = new Map<string, Promise<void>>()

  function currentOf(siteId: string): ReadSite | undefined {
    const known = read.get(siteId)
    if (known === undefined) return undefined
    const isRecent = performance.now() - known.atMs < changesMsMax
    return isRecent || known.epoch === changes.epoch() ? known : undefined
  }

  async function loadNow(siteId: string): Promise<void> {
    const [epoch, atMs] = [changes.epoch(), performance.now()]
    const key = await keys.findBySite(siteId)
    const before = read.get(siteId)
    const revision = key?.revision ?? 0
    // An equal site stays the one that it was, because cards that are in memory rest on it.
    const site = before?.revision === revision ? before.site : siteOf(key)
    read.set(siteId, { site, revision, epoch, atMs })
  }

  return {
    peek: (siteId) => (isSiteId(siteId) ? currentOf(siteId)?.site : null),
    isCurrent: (site) => currentOf(site.id)?.site === site,
    load(siteId) {
      const known = loading.get(siteId)
      if (known !== undefined) return known
      const started = loadNow(siteId).finally(() => loading.delete(siteId))
      loading.set(siteId, started)
      return started
    },
    recheck: () => (changes.ageMs() <= changesMsMax ? undefined : changes.check()),
  }
}

function siteOf(key: KeyRow | undefined): HostSite | null {
  if (key === undefined || key.siteId === null) return null
  const hosts = hostsOf(key)
  const names = new Set(hosts.map((host) => new URL(`http://${host}`).hostname))
  return {
    id: key.siteId,
    keyId: key.id,
    look: keyLookOf(key),
    hostOf: (url) => hosts.find((host) => isOnHosts(url, [host])),
    isOwnHost: ({ hostname }) => names.has(hostname) || names.has(hostname.replace(/^www\./, '')),
  }
}
