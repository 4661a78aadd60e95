import { LRUCache } from 'lru-cache'
import type { CardSites, HostSite } from '../assets/card/card-sites.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { KeyReading, KeyRow } from '../store/keys.ts'
import type { Store } from '../store/open.ts'
import { findStoreError } from '../store/store-error.ts'
import { hostsOf, isOnHosts, keyLookOf } from './key-limits.ts'
import { isSiteId } from './keys.ts'

export interface CachedKey {
  readonly row: KeyReading
  readonly reading: number
  /** The epoch in which that reading began: in a later one the key may have changed. */
  readonly epoch: number
  used: number
}

/** Something is granted from memory only if the last look for changes by others is no older. */
export const changesMsMax = 1_000
/** This bound holds while the database cannot be asked. */
export const absenceMsMax = 300_000

const cachedKeysMax = 10_000

/** Keys as the database had them. One grants nothing by itself: the caller has to know that it has not changed since. */
export function createKeyCache({ keys, changes }: Store) {
  const cache = new LRUCache<string, CachedKey>({ max: cachedKeysMax })
  const coalesce = createCoalescer<CachedKey | undefined>()
  let readings = 0

  async function read(id: string): Promise<CachedKey | undefined> {
    readings += 1
    const reading = readings
    const epoch = changes.epoch()
    const row = await keys.read(id)
    if (row === undefined) return undefined
    const cached = cache.get(id)
    // A reading that began first may end last.
    if (cached !== undefined && cached.reading > reading) return cached
    const key = { row, reading, epoch, used: 0 }
    cache.set(id, key)
    return key
  }

  /** Returns the key if the last look for changes is at most `ageMsMax` old and the key has not changed until then. */
  function current(id: string, ageMsMax: number): CachedKey | undefined {
    const key = cache.get(id)
    return key?.epoch === changes.epoch() && changes.ageMs() <= ageMsMax ? key : undefined
  }

  async function readUnlessAway(id: string): Promise<CachedKey | undefined> {
    try {
      return await read(id)
    } catch (error) {
      const key = findStoreError(error) === undefined ? undefined : current(id, absenceMsMax)
      if (key === undefined) throw error
      return key
    }
  }

  return {
    get: (id: string): CachedKey | undefined => cache.get(id),
    current,
    read,
    /** One reading for all who ask at the same time. While the database is away, a key of the last minutes stays good. */
    readShared: (id: string) => coalesce(`${id} ${changes.epoch()}`, () => readUnlessAway(id)),
  }
}

interface ReadSite {
  readonly site: HostSite | null
  readonly revision: number
  readonly epoch: number
  readonly atMs: number
}

const sitesMax = 10_000

/** The keys that name hosts, by their public ids. Whether a key grants anything is for the authorizer to say. */
export function createSiteDirectory({ keys, changes }: Store): CardSites {
  const read = new LRUCache<string, ReadSite>({ max: sitesMax })
  const coalesce = createCoalescer<void>()

  function currentOf(siteId: string): ReadSite | undefined {
    const known = read.get(siteId)
    if (known === undefined) return undefined
    const isRecent = performance.now() - known.atMs < changesMsMax
    return isRecent || known.epoch === changes.epoch() ? known : undefined
  }

  async function load(siteId: string): Promise<void> {
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
    load: (siteId) => coalesce(siteId, () => load(siteId)),
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
