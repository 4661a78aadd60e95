import type { PageValidators } from '../web/fetched-page.ts'
import type { Requester } from '../web/requester.ts'
import { createSingleFlight } from '../web/single-flight.ts'
import { createAddressPolicy } from '../web/url-rules.ts'
import { createWebFetcher, type WebFetcher, type WebFetcherOptions } from '../web/web-fetcher.ts'
import { readCardPage } from './card/read-page.ts'
import { createPreviewService } from './preview/preview-service.ts'
import { createBundleService } from './sitemap/bundle-service.ts'
import { readSiteNames } from './sitemap/discover.ts'

export type PageReaders = ReturnType<typeof createPageReaders>

export function createPageReaders(fetching: WebFetcherOptions, product: string, now: () => number) {
  const fetcher = createWebFetcher(fetching)
  const nameReadings = createSingleFlight<ReadonlySet<string>>()
  const { allowPorts, allowCidrs } = fetching
  const { isAllowlisted: allowsAddress } = createAddressPolicy(allowCidrs)
  return {
    previews: createPreviewService({
      fetcher,
      now,
      ...(allowPorts && { allowPorts }),
      ...(allowCidrs && { allowCidrs }),
    }),
    bundles: createBundleService(fetcher, product, now),
    fetcher,
    readSiteNames: (origin: string, requester: Requester) =>
      nameReadings.join(origin, requester, (onBehalfOf) =>
        readSiteNames(origin, { fetcher: onBehalfOf(fetcher), product, nowMs: now() }),
      ),
    /** Reads what the card of a page shows; undefined if it has not changed. */
    readCardPage: (
      url: string,
      onBehalfOf: (fetcher: WebFetcher) => WebFetcher,
      validators?: PageValidators,
    ) => readCardPage(url, { fetcher: onBehalfOf(fetcher), nowMs: now(), validators, allowsAddress }),
  }
}
