import type { Config } from '../config.ts'
import { createSharedAddressWatch, type SharedAddressWatch } from '../lib/client-addresses.ts'
import { type Clock, dayMs, isWithin } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { KeyValueTable } from '../store/key-values.ts'
import type { Store } from '../store/open.ts'

interface Deps {
  readonly config: Pick<Config, 'TRUSTED_PROXIES'>
  readonly store: Pick<Store, 'keyValues' | 'deferred'>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

const entryName = 'shared_client_address'

/** Watches for a proxy that is not in TRUSTED_PROXIES. The log says so once a day, and the database knows it for `doctor`. */
export function watchSharedAddress({ config, store, clock, log }: Deps): SharedAddressWatch {
  const { keyValues, deferred } = store
  return createSharedAddressWatch({
    now: clock.now,
    areProxiesNamed: config.TRUSTED_PROXIES.length > 0,
    onShared(address) {
      log.warn(sharedAddressText, { address })
      void deferred.add(() => keyValues.set(entryName, `${clock.now()} ${address}`))
    },
    onToldApart: () => void deferred.add(() => keyValues.remove(entryName)),
  })
}

export const sharedAddressText =
  'nearly all callers have one private address, so they share the limits of one caller and nothing is divided among them: if a proxy is in front, let it send X-Forwarded-For and name it in TRUSTED_PROXIES'

/** Returns the private address that nearly all callers had within the last two days, if servers have noted one. */
export async function readSharedAddress(keyValues: Pick<KeyValueTable, 'get'>, nowMs: number) {
  const [atMs, address] = (await keyValues.get(entryName))?.split(' ') ?? []
  return isWithin(Number(atMs), nowMs, 2 * dayMs) ? address : undefined
}
