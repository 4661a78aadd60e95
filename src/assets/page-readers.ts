import { createWebFetcher, type WebFetcherOptions } from '../web/web-fetcher.ts'
import { createPreviewService } from './preview/preview-service.ts'
import { createBundleService } from './sitemap/bundle-service.ts'

export type PageReaders = ReturnType<typeof createPageReaders>

export interface PageReadersOptions {
  readonly fetching: WebFetcherOptions
  /** The name by which robots.txt files know our fetcher. */
  readonly product: string
  readonly now: () => number
}

/** The services that read other people's sites. */
export function createPageReaders({ fetching, product, now }: PageReadersOptions) {
  const fetcher = createWebFetcher(fetching)
  const { allowPorts, allowCidrs } = fetching
  return {
    previews: createPreviewService({
      fetcher,
      now,
      ...(allowPorts && { allowPorts }),
      ...(allowCidrs && { allowCidrs }),
    }),
    bundles: createBundleService({ fetcher, product, now }),
  }
}
