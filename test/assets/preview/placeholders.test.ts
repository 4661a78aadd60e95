import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks } from './placeholders-checks.ts'

describe('what a template left unfilled is no value', () => {
  testChecks(checks)
})
