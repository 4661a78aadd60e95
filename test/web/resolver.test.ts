import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { checks } from './resolver-checks.ts'

describe('names, addresses and turns', () => {
  testChecks(checks)
})
