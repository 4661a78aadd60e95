import { describe } from 'bun:test'
import { onBoth } from '../../support/on-both.ts'
import { sampleOf } from '../../support/test-size.ts'
import { checks } from './discover-checks.ts'
import { checks as robotsChecks } from './robots-checks.ts'
import { checks as sitemapChecks } from './sitemap-checks.ts'
import { checks as wallChecks } from './wall-checks.ts'

describe('what is found out about a site', () => {
  onBoth(new URL('./discover-checks.ts', import.meta.url), sampleOf(checks, 2))
})

describe('what is read of the sitemaps of a site', () => {
  onBoth(new URL('./sitemap-checks.ts', import.meta.url), sampleOf(sitemapChecks, 2))
})

describe('what a site that shows itself to few gets', () => {
  onBoth(new URL('./wall-checks.ts', import.meta.url), sampleOf(wallChecks, 2))
})

describe('what becomes of the robots.txt of a site', () => {
  onBoth(new URL('./robots-checks.ts', import.meta.url), robotsChecks)
})
