import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { sampleOf } from '../../support/test-size.ts'
import { checks } from './discover-checks.ts'
import { checks as robotsChecks } from './robots-checks.ts'
import { checks as sitemapChecks } from './sitemap-checks.ts'
import { checks as wallChecks } from './wall-checks.ts'

const guarantees = {
  'what is found out about a site': sampleOf(checks, 2),
  'what is read of the sitemaps of a site': sampleOf(sitemapChecks, 2),
  'what a site that shows itself to few gets': sampleOf(wallChecks, 2),
  'what becomes of the robots.txt of a site': robotsChecks,
}

for (const [guarantee, checks] of Object.entries(guarantees)) describe(guarantee, () => testChecks(checks))
