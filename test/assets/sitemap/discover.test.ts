import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { sampleOf } from '../../support/test-size.ts'
import { checks } from './discover-checks.ts'
import { checks as robotsChecks } from './robots-checks.ts'
import { checks as sitemapChecks } from './sitemap-checks.ts'
import { checks as wallChecks } from './wall-checks.ts'

describe('what is found out about a site', () => {
  testChecks(sampleOf(checks, 2))
})

describe('what is read of the sitemaps of a site', () => {
  testChecks(sampleOf(sitemapChecks, 2))
})

describe('what a site that shows itself to few gets', () => {
  testChecks(sampleOf(wallChecks, 2))
})

describe('what becomes of the robots.txt of a site', () => {
  testChecks(robotsChecks)
})
