import { isIP } from 'node:net'
import { rangeMatcher } from './address-ranges.ts'
import { dayMs, isWithin } from './clock.ts'

interface SharedAddressOptions {
  /** Milliseconds. */
  readonly now: () => number
  /** Whether the operator named proxies. Then a private address is a caller’s until a day has shown that all have it. */
  readonly areProxiesNamed: boolean
  /** Called with the address that callers share, once a day while they do. */
  readonly onShared: (address: string) => void
  /** Called when callers are told apart, for the first time or again. */
  readonly onToldApart: () => void
}

export type SharedAddressWatch = ReturnType<typeof createSharedAddressWatch>

/**
 * Watches whether callers can be told apart by their addresses. Behind a proxy that is not in TRUSTED_PROXIES all of them
 * have one private address. One caller with another address ends that for a day, so a caller who has the private address
 * cannot bring it about by calling often. Loopback beside another private address is this machine itself.
 */
export function createSharedAddressWatch({
  now,
  areProxiesNamed,
  onShared,
  onToldApart,
}: SharedAddressOptions) {
  let shared: string | undefined
  let othersAtMs: number | undefined
  let calls = 0
  let toldAtMs: number | undefined
  let wasToldApart = false

  function areToldApart(): boolean {
    return othersAtMs !== undefined && isWithin(othersAtMs, now(), dayMs)
  }

  function isOther(address: string): boolean {
    if (isLoopback(address)) {
      shared ??= address
      return false
    }
    if (!isPrivate(address)) return true
    const before = shared
    shared = address
    if (before === address) return false
    return areProxiesNamed || (before !== undefined && !isLoopback(before))
  }

  function warn(): void {
    if (shared === undefined || areToldApart()) return
    if (toldAtMs !== undefined && isWithin(toldAtMs, now(), dayMs)) return
    toldAtMs = now()
    wasToldApart = false
    onShared(shared)
  }

  return {
    /** Notes the address of a caller, and returns whether callers are told apart by their addresses. */
    note(address: string): boolean {
      if (isIP(address) === 0) return areToldApart()
      if (isOther(address)) {
        othersAtMs = now()
        calls = 0
        if (!wasToldApart) onToldApart()
        wasToldApart = true
        return true
      }
      if (areToldApart()) return true
      calls += 1
      if (calls >= callsMin) warn()
      return false
    },
    /** To be called when an address reaches a limit: the warning does not wait for more calls. */
    warn,
  }
}

/** Fewer calls may well come from one machine, while somebody tries the service out. */
const callsMin = 20

const isLoopback = rangeMatcher(['127.0.0.0/8', '::1'])

/** Addresses of machines beside this one, such as a proxy or a container network. */
const isPrivate = rangeMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
])
