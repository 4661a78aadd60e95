import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './moves-checks.ts'

describe('a page that has moved is read where it is now', () => {
  testChecks(checks)
})
