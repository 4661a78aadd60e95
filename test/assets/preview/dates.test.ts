import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './dates-checks.ts'

describe('a page is dated by the day that it was published, and by no other day that it mentions', () => {
  testChecks(checks)
})
