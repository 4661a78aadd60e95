import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './page-pieces-checks.ts'

describe('a page that arrives in pieces', () => {
  testChecks(checks)
})
