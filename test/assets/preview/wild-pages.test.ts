import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './wild-pages-checks.ts'

describe('pages as they are in the wild', () => {
  testChecks(checks)
})
