import { rangeMatcher } from '../../lib/address-ranges.ts'
import type { Log } from '../../lib/log.ts'

/** Addresses of machines beside this one, such as a proxy or a container network. */
const isPrivate = rangeMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/** Fewer calls may well come from one machine, while somebody tries the service out. */
const callsMin = 20

const warning =
  'everyone who has paid so far has the same private address, so they share the limits of one caller: if a proxy is in front, name it in TRUSTED_PROXIES'

/** Warns once if all callers have one private address, as they do behind a proxy that is not in TRUSTED_PROXIES. */
export function createOneAddressWarning(log: Pick<Log, 'warn'>) {
  let first: string | undefined
  let calls = 0
  let isDecided = false

  function warn(): void {
    if (isDecided || first === undefined) return
    isDecided = true
    log.warn(warning, { address: first })
  }

  return {
    /** To be called with the address of each caller who offers a payment. */
    note(address: string): void {
      if (isDecided) return
      first ??= address
      calls += 1
      if (address !== first || !isPrivate(address)) isDecided = true
      else if (calls >= callsMin) warn()
    },
    /** To be called when an address reaches a limit: the warning does not wait for more calls. */
    warn,
  }
}
