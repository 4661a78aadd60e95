import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './cases-checks.ts'

describe('what a page says about itself', () => {
  testChecks(checks)
})
