import { isIP } from 'node:net'
import type { Clock } from '../lib/clock.ts'
import { loadedOnce, runOnce } from '../lib/memo.ts'
import { createRateLimit, partOf } from '../lib/rate-limit.ts'
import { version } from '../lib/version.ts'
import { checkWithoutLookup, isLocalhost, portOf } from '../web/url-rules.ts'
import type { WebFetcher, WebFetcherOptions } from '../web/web-fetcher.ts'
import type { PageReaders } from './page-readers.ts'

export type LivePages = ReturnType<typeof createLivePages>

export interface FetchSettings {
  readonly PORT: number
  readonly BASE_URL?: string | undefined
  readonly ALLOWED_HOSTS: readonly string[]
  readonly ADMIN_HOST?: string | undefined
  readonly FETCH_ALLOW_CIDRS: readonly string[]
  readonly FETCH_ALLOW_PORTS: readonly number[]
  readonly FETCH_DNS: readonly { readonly host: string; readonly port: number }[]
  readonly FETCH_CA_FILE?: string | undefined
  readonly FETCH_USER_AGENT?: string | undefined
  readonly FETCH_DENY_DOMAINS: readonly string[]
  readonly FETCH_TARGET_PER_MINUTE: number
  readonly FETCH_UNPAID_PER_MINUTE: number
}

/** Creates the readers of other people's sites, which are loaded with the first request for one: they take some 6 MB. */
export function createLivePages({
  config,
  clock: { now },
  readFile,
  isDivided,
  processes = 1,
}: {
  readonly config: FetchSettings
  readonly clock: Clock
  readonly readFile: (path: string) => string
  /** Notes the address of a caller, and returns whether callers are told apart by their addresses. */
  readonly isDivided: (client: string) => boolean
  /** Processes of this server, which share what it may ask of a site, and what one client may have read without paying. */
  readonly processes?: number | undefined
}) {
  const options = fetchOptions(config, readFile)
  const product = /^[A-Za-z_-]+/.exec(options.userAgent)?.[0] ?? 'MintmarkBot'
  // All fetchers of the process share one limit.
  const withTargets = loadedOnce(async () => {
    const { createTargetLimit } = await import('../web/target-limit.ts')
    return createTargetLimit({ perMinute: config.FETCH_TARGET_PER_MINUTE, processes, now, isDivided })
  })
  return {
    /** The name by which robots.txt files know our fetcher. */
    product,
    load: runOnce(async (): Promise<PageReaders> => {
      const { createPageReaders } = await import('./page-readers.ts')
      return withTargets((targets) => createPageReaders({ ...options, targets }, product, now))
    }),
    /** Throws FetchFailure for a URL that is refused whatever its host name leads to. */
    checkUrl: (url: string): void => checkWithoutLookup(url, options),
    now,
    isDivided,
    processes,
    /** The fetcher of small documents. It has slots of its own, so that badges and pages never wait for each other. */
    documentFetcher: runOnce(async (): Promise<WebFetcher> => {
      const { createWebFetcher } = await import('../web/web-fetcher.ts')
      return withTargets((targets) => createWebFetcher({ ...options, targets }))
    }),
    unpaid: createRateLimit(partOf(config.FETCH_UNPAID_PER_MINUTE, processes), now),
  }
}

export function fetchOptions(config: FetchSettings, readFile: (path: string) => string): WebFetcherOptions {
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  const base = URL.parse(config.BASE_URL ?? '')
  const ownNames = [base?.hostname ?? '', ...config.ALLOWED_HOSTS, config.ADMIN_HOST ?? '']
  return {
    userAgent: config.FETCH_USER_AGENT ?? `MintmarkBot/${version} (+${baseUrl}/bot)`,
    allowCidrs: config.FETCH_ALLOW_CIDRS,
    allowPorts: config.FETCH_ALLOW_PORTS,
    dnsServers: config.FETCH_DNS.map(({ host, port }) =>
      isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`,
    ),
    ...(config.FETCH_CA_FILE !== undefined && { extraRoot: readFile(config.FETCH_CA_FILE) }),
    // Host names that lead to this service only: other services may share an address or `localhost`, which the port tells apart.
    ownHosts: ownNames
      .map((host) => host.replace(/:\d+$/, '').toLowerCase())
      .filter((host) => host !== '' && !isShared(host)),
    // A proxy may lead from the port of `BASE_URL` on a host with other services to this one.
    ownPorts: [config.PORT, ...(base !== null && isShared(base.hostname) ? [portOf(base)] : [])],
    isDenied: (host) =>
      config.FETCH_DENY_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  }
}

function isShared(host: string): boolean {
  return isIP(host) !== 0 || host.startsWith('[') || isLocalhost(host)
}
