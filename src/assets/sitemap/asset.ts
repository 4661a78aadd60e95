import { type Asset, notWith } from '../kit/asset.ts'
import { bundleSchema } from './bundle.ts'
import { domainRule, sitemapQuery } from './query.ts'

export const sitemap: Asset<typeof sitemapQuery> = {
  id: 'sitemap',
  title: 'Site files',
  path: '/api/sitemap',
  isLive: true,
  priceMicros: 10_000,
  summary: 'robots.txt, sitemap.xml and llms.txt of a site',
  query: sitemapQuery,
  rules: [domainRule, notWith('file', 'format', 'zip')],
  example: { domain: 'example.com' },
  mediaTypes: ['application/json', 'application/zip', 'text/plain', 'application/xml'],
  answers: { SiteFiles: bundleSchema },
  revision: 1,
  playground: {
    tab: 6,
    rows: [['domain'], ['max', 'ai'], ['crawl']],
    labels: { max: 'URLs at most', ai: 'AI crawlers', crawl: 'Look at the site' },
    hidden: ['format', 'file'],
    example: { domain: 'example.com' },
    hasProgress: true,
  },
  createProducer: async ({ livePages }) => (await import('./produce.ts')).createSitemapProducer(livePages),
}
