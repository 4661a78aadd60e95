import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { checks } from './ssrf-checks.ts'

describe('no URL, name or redirect leads the fetcher into a private network', () => {
  testChecks(checks)
})
