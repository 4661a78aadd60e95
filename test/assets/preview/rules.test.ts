import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './rules-checks.ts'

describe('the rules that decide a field', () => {
  testChecks(checks)
})
