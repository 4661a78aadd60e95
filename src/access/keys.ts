import { randomInt } from 'node:crypto'
import type { Config } from '../config.ts'
import { type Clock, dayMs } from '../lib/clock.ts'
import type { Steps } from '../store/database.ts'
import type { KeyColumns, KeyRow } from '../store/keys.ts'
import type { Meter } from '../store/meter.ts'
import type { Store } from '../store/open.ts'
import { retryWhileLocked } from '../store/store-error.ts'
import { type KeyLook, lookNames } from './key-limits.ts'
import { reserveForClient } from './key-quota.ts'
import type { Secrets } from './secrets.ts'

export type Keys = ReturnType<typeof createKeys>

export interface IssuedKey {
  readonly key: KeyRow
  readonly secret: string
}

/** The last time that a Date can hold, in ms. */
export const forever = 8_640_000_000_000_000

export interface KeyOptions extends Omit<KeyColumns, 'siteId' | 'hosts' | 'look' | 'assets'> {
  /** Hosts as `readHosts` returns them. A key that names some gets a site id, and keeps it while it names none. */
  readonly hosts?: readonly string[]
  readonly look?: KeyLook
  /** Assets as `readKeyAssets` returns them. None: it may call all. */
  readonly assets?: readonly string[]
}

/** Creates, changes and finds key pairs. A change holds from the next call on, in every process. */
export function createKeys(
  { keys: table, signedAddresses }: Pick<Store, 'keys' | 'signedAddresses'>,
  secrets: Secrets,
  clock: Clock,
) {
  function pairOf(key: KeyRow): IssuedKey {
    return { key, secret: secrets.secretOf(key.id, key.version) }
  }

  return {
    create(options: KeyOptions = {}) {
      // A look that names no template is one of before templates.
      const columns = columnsOf({ ...(options.hosts?.length && { look: {} }), ...options })
      return table.insert({ id: makeId('mk'), ...columns, createdAtMs: clock.now() }).as(pairOf)
    },
    change: (id: string, options: KeyOptions) => table.update(id, columnsOf(options)),
    find: table.find,
    /** The secret before stays valid for `overlapMs`, the one before that ends. Addresses counted under either stay answered. */
    rotate: (id: string, overlapMs = dayMs) =>
      table.rotate(id, clock.now() + overlapMs).as((key) => key && pairOf(key)),
    /** For a secret that strangers know: it ends at once, with every address that was first counted under it since that day. */
    *rotateLeaked(id: string, sinceDay = 0): Steps<IssuedKey | undefined> {
      const pair = yield* table.rotate(id, clock.now()).as((key) => key && pairOf(key))
      if (pair !== undefined) yield* signedAddresses.leak(id, pair.key.version - 1, sinceDay)
      return pair
    },
    revoke: (id: string) => table.update(id, { revokedAtMs: clock.now() }),
    restore: (id: string) => table.update(id, { revokedAtMs: null }),
    /** Removes the quota until that time, which may be `forever`; null brings the quota back. */
    upgrade: (id: string, unlimitedUntilMs: number | null) => table.update(id, { unlimitedUntilMs }),
  }
}

/** Without idTail and digits that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const idLetters = 16

const idTail = `_[${alphabet}]{${idLetters}}$`
const keyIdForm = new RegExp(`^mk${idTail}`)
const siteIdForm = new RegExp(`^ms${idTail}`)

export function isKeyId(text: string): boolean {
  return keyIdForm.test(text)
}

export function isSiteId(text: string): boolean {
  return siteIdForm.test(text)
}

function columnsOf({ hosts, look, assets, ...columns }: KeyOptions): KeyColumns {
  return {
    ...columns,
    ...(hosts && { hosts: hosts.join(), siteId: hosts.length === 0 ? null : makeId('ms') }),
    ...(look && { look: JSON.stringify({ template: 'auto', ...look }, [...lookNames]) }),
    ...(assets && { assets: assets.join() }),
  }
}

function makeId(prefix: string): string {
  return `${prefix}_${Array.from({ length: idLetters }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}

export function createKeyIssuer(keys: Keys, meter: Meter, config: Pick<Config, 'KEYS_PER_IP_PER_DAY'>) {
  return {
    /** Rejects with `MeterUnavailable` or a `StoreError` when the store could not write; nothing was issued then. */
    async issue(clientAddress: string, options: Pick<KeyOptions, 'expiresAtMs' | 'hosts'> = {}) {
      const quota = { name: 'keys', limit: config.KEYS_PER_IP_PER_DAY }
      const reservation = await reserveForClient(meter, clientAddress, quota)
      if (!reservation.granted) return { issued: false, resetsAtMs: reservation.resetsAtMs } as const
      try {
        return { issued: true, pair: await retryWhileLocked(() => keys.create(options)) } as const
      } catch (error) {
        await reservation.release()
        throw error
      }
    },
  }
}

export const keyDaysMax = 3_650

export type KeyFault = 'unknown_key' | 'revoked_key' | 'ended_key'

/** Asked at each use, also of a cached key: time alone ends one, and its row is the same after its end as before. */
export function keyFault(key: KeyRow | undefined, nowMs: number): KeyFault | undefined {
  if (key === undefined) return 'unknown_key'
  if (key.revokedAtMs !== null) return 'revoked_key'
  return hasEnded(key, nowMs) ? 'ended_key' : undefined
}

export function hasEnded({ expiresAtMs }: Pick<KeyRow, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== null && nowMs >= expiresAtMs
}
