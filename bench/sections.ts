import type { Row } from './support/row.ts'

/** Every comparison by the name it is called with, in the order of the page. Each loads what it needs and no other. */
export const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  cards: async () => (await import('./cards.ts')).benchCards(),
  cold: async () => (await import('./cold.ts')).benchCold(),
  site: async () => (await import('./site.ts')).benchSite(),
  brands: async () => (await import('./brands.ts')).benchBrands(),
  encoders: async () => (await import('./encoders.ts')).benchEncoders(),
  'line-breaks': async () => (await import('./line-breaks.ts')).benchLineBreaks(),
  crops: async () => (await import('./crops.ts')).benchCrops(),
  lag: async () => (await import('./lag.ts')).benchLag(),
  memory: async () => (await import('./memory.ts')).benchMemory(),
  start: async () => (await import('./start.ts')).benchStart(),
  http: async () => (await import('./http.ts')).benchHttp(),
  latency: async () => (await import('./latency.ts')).benchLatency(),
  keys: async () => (await import('./keys.ts')).benchKeys(),
  metering: async () => (await import('./metering.ts')).benchMetering(),
  servers: async () => (await import('./servers.ts')).benchServers(),
  workers: async () => (await import('./workers.ts')).benchWorkers(),
  badge: async () => (await import('./badge.ts')).benchBadges(),
  'page-cards': async () => (await import('./page-cards.ts')).benchPageCards(),
  avatar: async () => (await import('./avatar.ts')).benchAvatars(),
  preview: async () => (await import('./preview.ts')).benchPreview(),
  sitemap: async () => (await import('./sitemap.ts')).benchSitemap(),
  payments: async () => (await import('./payments.ts')).benchPayments(),
  admin: async () => (await import('./admin.ts')).benchAdmin(),
}
