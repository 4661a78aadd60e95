import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import { createRateLimit, type RateLimit } from '../lib/rate-limit.ts'
import { version } from '../lib/version.ts'
import { createWebFetcher } from '../web/web-fetcher.ts'
import { createPreviewService, type PreviewService } from './preview/preview-service.ts'
import { type BundleService, createBundleService } from './sitemap/bundle-service.ts'

/** What looks at other people's sites. */
export interface LivePages {
  readonly previews: PreviewService
  readonly bundles: BundleService
  readonly unpaid: RateLimit
  /** The name by which robots.txt files know us. */
  readonly product: string
}

export interface LivePagesDeps {
  readonly config: Config
  readonly clock: Clock
  readonly readFile: (path: string) => string
}

export function createLivePages({ config, clock, readFile }: LivePagesDeps): LivePages {
  const now = clock.now
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  const userAgent = config.FETCH_USER_AGENT ?? `MintmarkBot/${version} (+${baseUrl}/bot)`
  const product = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'MintmarkBot'
  const fetcher = createWebFetcher({
    userAgent,
    allowCidrs: config.FETCH_ALLOW_CIDRS,
    allowPorts: config.FETCH_ALLOW_PORTS,
    dnsServers: config.FETCH_DNS.map(({ host, port }) =>
      isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`,
    ),
    ...(config.FETCH_CA_FILE !== undefined && { extraRoot: readFile(config.FETCH_CA_FILE) }),
    ownHosts: ownNames(config),
    ownPorts: [config.PORT],
    isDenied: (host) =>
      config.FETCH_DENY_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  })
  return {
    product,
    previews: createPreviewService({ fetcher, allowPorts: config.FETCH_ALLOW_PORTS, now }),
    bundles: createBundleService({ fetcher, product, now }),
    unpaid: createRateLimit({ perMinute: config.FETCH_UNPAID_PER_MINUTE, now }),
  }
}

/** Names that lead here and nowhere else. An address may be shared by other services on other ports: those are told apart by port. */
function ownNames({ BASE_URL, ALLOWED_HOSTS, ADMIN_HOST }: Config): readonly string[] {
  const base = BASE_URL === undefined ? [] : [new URL(BASE_URL).hostname]
  return [...base, ...ALLOWED_HOSTS, ...(ADMIN_HOST ? [ADMIN_HOST] : [])]
    .map((host) => host.replace(/:\d+$/, '').toLowerCase())
    .filter((host) => isIP(host) === 0 && !host.startsWith('['))
}
