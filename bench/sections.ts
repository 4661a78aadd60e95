import { benchAdmin } from './admin.ts'
import { benchAvatars } from './avatar.ts'
import { benchBadges } from './badge.ts'
import { benchBrands } from './brands.ts'
import { benchCards } from './cards.ts'
import { benchEncoders } from './encoders.ts'
import { benchHttp } from './http.ts'
import { benchKeys } from './keys.ts'
import { benchLag } from './lag.ts'
import { benchLatency } from './latency.ts'
import { benchLineBreaks } from './line-breaks.ts'
import { benchMemory } from './memory.ts'
import { benchMetering } from './metering.ts'
import { benchPayments } from './payments.ts'
import { benchPreview } from './preview.ts'
import { benchServers } from './servers.ts'
import { benchSitemap } from './sitemap.ts'
import { benchStart } from './start.ts'
import type { Row } from './support/row.ts'
import { benchWorkers } from './workers.ts'

/** Every comparison by the name it is called with, in the order of the page. */
export const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  cards: benchCards,
  brands: benchBrands,
  encoders: benchEncoders,
  'line-breaks': benchLineBreaks,
  lag: benchLag,
  memory: benchMemory,
  start: benchStart,
  http: benchHttp,
  latency: benchLatency,
  keys: benchKeys,
  metering: benchMetering,
  servers: benchServers,
  workers: benchWorkers,
  badge: benchBadges,
  avatar: benchAvatars,
  preview: benchPreview,
  sitemap: benchSitemap,
  payments: benchPayments,
  admin: benchAdmin,
}
